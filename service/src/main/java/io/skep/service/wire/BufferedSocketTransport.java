package io.skep.service.wire;

import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects small reads and writes of a stream, and bounds the size of a message. Owned by the connection's thread. While that
 * is busy with a call, {@link #watch} lets another thread read ahead, so that a client that goes is noticed; the owner's next
 * read waits for that one to end.
 */
final class BufferedSocketTransport extends TTransport {
    private static final Logger LOG = LoggerFactory.getLogger(BufferedSocketTransport.class);

    private final TTransport inner;
    private final TConfiguration configuration;
    private final byte[] in;
    private final byte[] out;
    private int inAt;
    private int inEnd;
    private int outEnd;
    private boolean busy;
    private volatile boolean watched;
    private boolean ended;

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
        if (watched) {
            awaitWatcher();
        }
        if (inAt == inEnd) {
            if (ended) {
                throw new TTransportException(TTransportException.END_OF_FILE);
            }
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

    /** The owner begins or ends to work on a call, in which it reads nothing. */
    synchronized void busy(boolean now) {
        busy = now;
    }

    /** Whether reading ahead would tell something new. */
    synchronized boolean isBusy() {
        return busy && !watched && !ended && inAt == inEnd;
    }

    /** Reads ahead, if the owner is busy and nobody does already; returns when the client has sent something or has gone. */
    void watch(Runnable whenGone) {
        synchronized (this) {
            if (!isBusy()) {
                return;
            }
            watched = true;
        }
        int count = 0;
        try {
            count = inner.read(in, 0, in.length);
        } catch (TTransportException e) {
            LOG.debug("a client has gone during a call: {}", e.toString());
        }
        boolean gone = count <= 0;
        synchronized (this) {
            inAt = 0;
            inEnd = Math.max(0, count);
            ended = gone;
            watched = false;
            notifyAll();
        }
        if (gone) {
            whenGone.run();
        }
    }

    private synchronized void awaitWatcher() throws TTransportException {
        try {
            while (watched) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TTransportException(TTransportException.END_OF_FILE, e);
        }
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
