package io.skep.llap.server.external;

import io.grpc.MethodDescriptor;
import io.skep.reader.PlainMessage;
import java.io.InputStream;

/** Passes the bytes of Flight's messages to the transport as {@link PlainMessage}. */
final class PlainMessages implements MethodDescriptor.Marshaller<InputStream> {
    @Override
    public InputStream stream(InputStream message) {
        return new PlainMessage(message);
    }

    @Override
    public InputStream parse(InputStream message) {
        return message;
    }
}
