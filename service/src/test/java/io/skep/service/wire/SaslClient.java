package io.skep.service.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TEndpointTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** The client side of SASL PLAIN and its frames. */
final class SaslClient extends TEndpointTransport {
    private final TTransport inner;
    private byte[] in = new byte[0];
    private int inAt;
    private byte[] out = new byte[0];

    SaslClient(TTransport inner, String response) throws TTransportException {
        super(new TConfiguration());
        this.inner = inner;
        send(1, "PLAIN");
        send(2, response);
        byte[] header = new byte[5];
        inner.readAll(header, 0, 5);
        byte[] text = new byte[ByteBuffer.wrap(header, 1, 4).getInt()];
        inner.readAll(text, 0, text.length);
        if (header[0] != 5) {
            throw new TTransportException(header[0] + " " + new String(text, StandardCharsets.UTF_8));
        }
    }

    private void send(int status, String text) throws TTransportException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        inner.write(ByteBuffer.allocate(5 + payload.length)
                .put((byte) status)
                .putInt(payload.length)
                .put(payload)
                .array());
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
    public int read(byte[] target, int offset, int length) throws TTransportException {
        if (inAt == in.length) {
            byte[] header = new byte[4];
            inner.readAll(header, 0, 4);
            in = new byte[ByteBuffer.wrap(header).getInt()];
            inner.readAll(in, 0, in.length);
            inAt = 0;
        }
        int count = Math.min(length, in.length - inAt);
        System.arraycopy(in, inAt, target, offset, count);
        inAt += count;
        return count;
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        int end = out.length;
        out = Arrays.copyOf(out, end + length);
        System.arraycopy(source, offset, out, end, length);
    }

    @Override
    public void flush() throws TTransportException {
        inner.write(ByteBuffer.allocate(4).putInt(out.length).array());
        inner.write(out);
        inner.flush();
        out = new byte[0];
    }
}
