package io.skep.service.wire;

import java.util.Optional;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.apache.thrift.transport.TTransportException;

/**
 * Signs or encrypts the frames of a connection with the keys of its login. A frame whose message was changed is
 * refused, and so is one that was repeated, left out or put in another order. The JDK does not verify the number of an
 * encrypted frame, though: who can change what is sent can repeat one under the next number. Owned by the connection's
 * thread.
 */
final class FrameProtection {
    private static final int MIN_BYTES = 4 << 10;

    /** What signature, padding and headers add to a message at most, and more. */
    private static final int OVERHEAD_BYTES = 256;

    private final SaslServer mechanism;
    private final int maxBytes;

    private FrameProtection(SaslServer mechanism) {
        this.mechanism = mechanism;
        // Clients name the size that they accept. Hive does not look at it, so small ones are taken for a mistake.
        int accepted = Integer.parseInt(String.valueOf(mechanism.getNegotiatedProperty(Sasl.RAW_SEND_SIZE)));
        this.maxBytes = Math.clamp(accepted, MIN_BYTES, BufferPool.BUFFER_BYTES - OVERHEAD_BYTES);
    }

    /** Returns the protection that a complete negotiation has agreed on; empty for that of the login alone. */
    static Optional<FrameProtection> of(SaslServer mechanism) {
        return "auth".equals(mechanism.getNegotiatedProperty(Sasl.QOP))
                ? Optional.empty()
                : Optional.of(new FrameProtection(mechanism));
    }

    /** Returns the number of bytes of an answer that one frame takes. */
    int maxBytes() {
        return maxBytes;
    }

    /** Returns the content of a frame for these bytes of an answer. */
    byte[] wrap(byte[] bytes, int length) throws TTransportException {
        try {
            return mechanism.wrap(bytes, 0, length);
        } catch (SaslException e) {
            throw new TTransportException("an answer cannot be protected: " + e.getMessage(), e);
        }
    }

    /** Returns the message in a frame. Uses up to four times the memory of the frame meanwhile. */
    byte[] unwrap(byte[] frame) throws TTransportException {
        try {
            return mechanism.unwrap(frame, 0, frame.length);
        } catch (SaslException e) {
            throw new TTransportException("a frame is damaged, or not the next one: " + e.getMessage(), e);
        }
    }
}
