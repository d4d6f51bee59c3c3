package io.skep.llap.server.external;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.FilterInputStream;
import java.io.InputStream;

/**
 * Passes the bytes of Flight's messages to the transport as a stream. Without it, the library looks for the transport's
 * own classes, to give it whole buffers, and prints a stack trace because they have other names here.
 */
final class PlainMessages implements MethodDescriptor.Marshaller<InputStream> {
    @Override
    public InputStream stream(InputStream message) {
        return new Message(message);
    }

    @Override
    public InputStream parse(InputStream message) {
        return message;
    }

    /** Its remaining bytes are known, so that the transport reads them at once. */
    private static final class Message extends FilterInputStream implements KnownLength {
        Message(InputStream message) {
            super(message);
        }
    }
}
