package io.skep.reader;

import io.grpc.KnownLength;
import java.io.FilterInputStream;
import java.io.InputStream;

/**
 * The bytes of one of Flight's messages as a stream. Without it, the library looks for the transport's own classes, to
 * give it whole buffers, and prints a stack trace because they have other names here. Its remaining bytes are known, so
 * that the transport reads them at once.
 */
public final class PlainMessage extends FilterInputStream implements KnownLength {
    public PlainMessage(InputStream message) {
        super(message);
    }
}
