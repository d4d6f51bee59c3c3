package io.skep.service.wire;

import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** Collects small reads and writes of a stream, and bounds the size of a message. */
final class BufferedSocketTransport extends TTransport {
    private final TTransport inner;
    private final TConfiguration configuration;
    private final byte[] in;
    private final byte[] out;
    private int inAt;
    private int inEnd;
    private int outEnd;

    BufferedSocketTransport(TTransport inner, int bufferBytes, int maxMessageBytes) {
        this.inner = inner;
        this.configuration = TConfiguration.custom()
                .setMaxMessageSize(maxMessageBytes)
                .setMaxFrameSize(maxMessageBytes)
                .build();
        this.in = new byte[bufferBytes];
        this.out = new byte[bufferBytes];
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }

    @Override
    public void open() throws TTransportException {
        inner.open();
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws TTransportException {
        if (inAt == inEnd) {
            if (length >= in.length) {
                return inner.read(buffer, offset, length);
            }
            inEnd = Math.max(0, inner.read(in, 0, in.length));
            inAt = 0;
            if (inEnd == 0) {
                throw new TTransportException(TTransportException.END_OF_FILE);
            }
        }
        int count = Math.min(length, inEnd - inAt);
        System.arraycopy(in, inAt, buffer, offset, count);
        inAt += count;
        return count;
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws TTransportException {
        if (length > out.length - outEnd) {
            drain();
        }
        if (length > out.length) {
            inner.write(buffer, offset, length);
            return;
        }
        System.arraycopy(buffer, offset, out, outEnd, length);
        outEnd += length;
    }

    private void drain() throws TTransportException {
        if (outEnd > 0) {
            inner.write(out, 0, outEnd);
            outEnd = 0;
        }
    }

    @Override
    public void flush() throws TTransportException {
        drain();
        inner.flush();
    }

    @Override
    public TConfiguration getConfiguration() {
        return configuration;
    }

    /** The sender's claims are checked against the limit when they are read. */
    @Override
    public void updateKnownMessageSize(long size) {}

    @Override
    public void checkReadBytesAvailable(long bytes) throws TTransportException {
        if (bytes > configuration.getMaxMessageSize()) {
            throw new TTransportException(
                    TTransportException.END_OF_FILE, "a message of " + bytes + " bytes is larger than allowed");
        }
    }
}
