package io.skep.service.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * The server's side of Thrift's SASL framing with the mechanism PLAIN (RFC 4616): a status byte and a length before each
 * message of the negotiation, a length before each frame after it.
 */
final class SaslPlainTransport extends TTransport {
    private static final byte START = 1;
    private static final byte OK = 2;
    private static final byte BAD = 3;
    private static final byte ERROR = 4;
    private static final byte COMPLETE = 5;
    private static final int TRUSTED_BYTES = 64 << 10;
    private static final int MAX_NEGOTIATION_BYTES = 64 << 10;

    private final TTransport inner;
    private final int maxFrameBytes;
    private byte[] frame = new byte[0];
    private int frameAt;
    private byte[] out = new byte[4096];
    private int outLength;

    SaslPlainTransport(TTransport inner, int maxFrameBytes) {
        this.inner = inner;
        this.maxFrameBytes = maxFrameBytes;
    }

    /** Negotiates; gives the name of the user. */
    String accept() throws TTransportException {
        byte status = readByte();
        String mechanism = new String(message(), StandardCharsets.US_ASCII);
        if (status != START || !mechanism.equals("PLAIN")) {
            send(BAD, "Unsupported mechanism type " + mechanism);
            throw new TTransportException("the client wants SASL " + mechanism + ", this server has PLAIN");
        }
        status = readByte();
        byte[] response = message();
        if (status != OK && status != COMPLETE) {
            throw new TTransportException("the client broke off the SASL negotiation");
        }
        String[] parts = new String(response, StandardCharsets.UTF_8).split("\0", -1);
        if (parts.length != 3) {
            send(BAD, "Malformed PLAIN response");
            throw new TTransportException("malformed PLAIN response");
        }
        send(COMPLETE, "");
        return parts[1];
    }

    private byte readByte() throws TTransportException {
        byte[] one = new byte[1];
        inner.readAll(one, 0, 1);
        return one[0];
    }

    private int readLength() throws TTransportException {
        byte[] four = new byte[4];
        inner.readAll(four, 0, 4);
        return ByteBuffer.wrap(four).getInt();
    }

    private byte[] message() throws TTransportException {
        int length = readLength();
        if (length < 0 || length > MAX_NEGOTIATION_BYTES) {
            throw new TTransportException("a SASL message of " + length + " bytes");
        }
        byte[] payload = new byte[length];
        inner.readAll(payload, 0, length);
        return payload;
    }

    private void send(byte status, String text) throws TTransportException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        inner.write(ByteBuffer.allocate(5).put(status).putInt(payload.length).array());
        inner.write(payload);
        inner.flush();
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }

    @Override
    public void open() {}

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws TTransportException {
        if (frameAt == frame.length) {
            nextFrame();
        }
        int count = Math.min(length, frame.length - frameAt);
        System.arraycopy(frame, frameAt, buffer, offset, count);
        frameAt += count;
        return count;
    }

    private void nextFrame() throws TTransportException {
        int length = readLength();
        if (length < 0 || length > maxFrameBytes) {
            throw new TTransportException(
                    "a frame of " + length + " bytes, more than the " + maxFrameBytes + " allowed");
        }
        frame = readFrame(length);
        frameAt = 0;
    }

    /** Memory is taken as the bytes come, not as the sender promises them. */
    private byte[] readFrame(int length) throws TTransportException {
        byte[] bytes = new byte[Math.min(length, TRUSTED_BYTES)];
        int end = 0;
        while (end < length) {
            if (end == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
            }
            inner.readAll(bytes, end, bytes.length - end);
            end = bytes.length;
        }
        return bytes;
    }

    /** Refuses the negotiation that the client has begun. */
    void refuse(String why) throws TTransportException {
        readByte();
        message();
        send(ERROR, why);
    }

    @Override
    public void write(byte[] buffer, int offset, int length) {
        if (out.length - outLength < length) {
            out = Arrays.copyOf(out, Math.max(out.length * 2, outLength + length));
        }
        System.arraycopy(buffer, offset, out, outLength, length);
        outLength += length;
    }

    @Override
    public void flush() throws TTransportException {
        inner.write(ByteBuffer.allocate(4).putInt(outLength).array());
        inner.write(out, 0, outLength);
        inner.flush();
        outLength = 0;
    }

    @Override
    public TConfiguration getConfiguration() {
        return inner.getConfiguration();
    }

    @Override
    public void updateKnownMessageSize(long size) throws TTransportException {
        inner.updateKnownMessageSize(size);
    }

    @Override
    public void checkReadBytesAvailable(long bytes) throws TTransportException {
        inner.checkReadBytesAvailable(bytes);
    }
}
