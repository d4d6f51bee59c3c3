package io.skep.service.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream of one client, which carries one request or answer at a time. With frames (after a SASL negotiation) each
 * message is one frame, after a length of four bytes. A protected frame is read as a whole, and a long answer is
 * several of them, which are sent as soon as they are full. Memory grows with the bytes that have arrived, never with a
 * length that the client claims. It is charged to the {@link RequestAccount}. Memory for answers is released before the
 * next message. Buffers come from a pool while a message is read or written. What a client sends before it is known is
 * read without a buffer.
 *
 * <p>Owned by the connection's thread. Other threads read {@link #phase} and {@link #since}. While the owner runs a
 * call, {@link #watch} lets another thread read the first bytes that follow, so that a client that disconnects is
 * detected. The owner's next read waits for that thread.
 */
final class ClientTransport extends TTransport {
    private static final Logger LOG = LoggerFactory.getLogger(ClientTransport.class);
    private static final int HEADER_BYTES = 4;
    private static final int FIRST_GROWTH_BYTES = 4 << 10;

    /** The memory for the content of a protected frame, as a multiple of the frame's, with copies meanwhile. */
    private static final long UNWRAPPED = 4;

    /** At least this many bytes are read without a buffer, so that a slow client holds none beside its value. */
    private static final int DIRECT_BYTES = FIRST_GROWTH_BYTES;

    /** The number of bytes of a message that are read before it has a buffer. Many messages are not longer. */
    private static final int FIRST_BYTES = 1 << 10;

    /** The current activity of the connection. */
    enum Phase {
        LOGIN,
        IDLE,
        READING,
        WORKING,
        WRITING
    }

    private final InputStream input;
    private final OutputStream output;
    private final BufferPool buffers;
    private final RequestAccount account;
    private final AnswerAccount answers;
    private final TConfiguration configuration;
    private boolean framed;
    private @Nullable FrameProtection protection;

    private byte @Nullable [] in;
    private int inAt;
    private int inEnd;
    /** The number of bytes of this message that may still be read. */
    private long left;
    /** The message of a protected frame, of which the last {@link #left} bytes have not been read. */
    private byte @Nullable [] message;

    private final List<byte[]> out = new ArrayList<>(1);
    private int lastLength;

    private volatile Phase phase = Phase.LOGIN;
    private volatile long since = System.nanoTime();
    private volatile boolean watched;
    /**
     * The first bytes of the next message. The watching thread owns the array while {@link #watched} is set. Otherwise
     * the connection's thread owns it.
     */
    private final byte[] first = new byte[FIRST_BYTES];

    private int firstCount;
    private boolean ended;

    ClientTransport(
            InputStream input,
            OutputStream output,
            int maxMessageBytes,
            BufferPool buffers,
            RequestAccount account,
            AnswerAccount answers) {
        this.input = input;
        this.output = output;
        this.buffers = buffers;
        this.account = account;
        this.answers = answers;
        this.configuration = TConfiguration.custom()
                .setMaxMessageSize(maxMessageBytes)
                .setMaxFrameSize(maxMessageBytes)
                .build();
        this.left = maxMessageBytes;
    }

    /**
     * Switches to framed messages.
     *
     * @param agreed the protection of the frames, if any
     */
    void frame(Optional<FrameProtection> agreed) {
        framed = true;
        protection = agreed.orElse(null);
    }

    Phase phase() {
        return phase;
    }

    /**
     * Returns the time at which the phase began, or the last part of an answer was written, by {@link System#nanoTime}.
     */
    long since() {
        return since;
    }

    private void enter(Phase next) {
        since = System.nanoTime();
        phase = next;
    }

    /** Waits for the first bytes without holding a buffer, and does not consume them. */
    void awaitFirstByte() throws TTransportException {
        if (inAt == inEnd) {
            releaseInput();
            if (watched) {
                awaitWatcher();
            }
            if (firstCount == 0) {
                if (ended) {
                    throw new TTransportException(TTransportException.END_OF_FILE);
                }
                firstCount = readOf(first, 0, first.length);
            }
        }
    }

    /** Returns the first byte of the stream without consuming it. */
    int firstByte() throws TTransportException {
        awaitFirstByte();
        return Byte.toUnsignedInt(inAt == inEnd ? first[0] : buffer()[inAt]);
    }

    /** Waits until the next message can be read. */
    void awaitMessage() throws TTransportException, TProtocolException {
        account.clear();
        answers.clear();
        if (phase != Phase.LOGIN || framed) {
            enter(Phase.IDLE);
        }
        awaitFirstByte();
        enter(Phase.READING);
        left = configuration.getMaxMessageSize();
        if (framed) {
            left = HEADER_BYTES;
            byte[] header = new byte[HEADER_BYTES];
            readAll(header, 0, HEADER_BYTES);
            int length = decodeInt(header);
            if (length < 0 || length > configuration.getMaxMessageSize()) {
                throw new TTransportException("a frame of " + length + " bytes, more than the "
                        + configuration.getMaxMessageSize() + " allowed");
            }
            left = length;
            FrameProtection agreed = protection;
            if (agreed != null) {
                message = unwrap(agreed, length);
                left = message.length;
            }
        }
    }

    private byte[] unwrap(FrameProtection agreed, int length) throws TTransportException, TProtocolException {
        byte[] frame = readBytes(length);
        account.charge(length * UNWRAPPED);
        if (inAt == inEnd) {
            releaseInput();
        }
        return agreed.unwrap(frame);
    }

    /** Called when the message was read or abandoned. Drops the rest of its frame. */
    void messageRead() throws TTransportException {
        if (message != null) {
            message = null;
            left = 0;
        }
        while (framed && left > 0) {
            if (inAt == inEnd) {
                fill();
            }
            int count = (int) Math.min(left, inEnd - inAt);
            inAt += count;
            left -= count;
        }
        if (inAt == inEnd) {
            releaseInput();
        }
        synchronized (this) {
            enter(Phase.WORKING);
        }
    }

    /** Called when the call's answer begins. */
    synchronized void beginAnswer() {
        enter(Phase.WRITING);
    }

    /** Reads a byte array of a length that the client claims. The array grows as bytes arrive. */
    byte[] readBytes(int length) throws TTransportException, TProtocolException {
        if (length < 0) {
            throw new TProtocolException(TProtocolException.NEGATIVE_SIZE, "a value of " + length + " bytes");
        }
        if (length > left) {
            throw new TProtocolException(
                    TProtocolException.SIZE_LIMIT,
                    "a value of " + length + " bytes in a message that has " + left + " bytes left");
        }
        int size = Math.min(length, FIRST_GROWTH_BYTES);
        account.charge(size);
        byte[] bytes = new byte[size];
        int end = 0;
        while (end < length) {
            if (end == bytes.length) {
                size = (int) Math.min(length, 2L * bytes.length);
                account.charge(size);
                bytes = Arrays.copyOf(bytes, size);
            }
            readAll(bytes, end, bytes.length - end);
            end = bytes.length;
        }
        return bytes;
    }

    /** Charges objects that are about to be created for the message. Each of them uses some of its bytes. */
    void charge(long count, int leastBytes, long heapBytes) throws TProtocolException {
        if (count < 0) {
            throw new TProtocolException(TProtocolException.NEGATIVE_SIZE, "a container of " + count + " elements");
        }
        if (count * leastBytes > left) {
            throw new TProtocolException(
                    TProtocolException.SIZE_LIMIT,
                    "a container of " + count + " elements in a message that has " + left + " bytes left");
        }
        account.charge(count * heapBytes);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws TTransportException {
        if (left <= 0) {
            throw new TTransportException(TTransportException.END_OF_FILE, "the message ends before its last value");
        }
        int most = (int) Math.min(length, left);
        byte[] unwrapped = message;
        if (unwrapped != null) {
            System.arraycopy(unwrapped, (int) (unwrapped.length - left), target, offset, most);
            left -= most;
            return most;
        }
        if (phase == Phase.LOGIN && inAt == inEnd) {
            int count = readUnbuffered(target, offset, most);
            left -= count;
            return count;
        }
        if (inAt == inEnd && most >= DIRECT_BYTES && !watched && firstCount == 0 && !ended) {
            releaseInput();
            int count = readOf(target, offset, most);
            left -= count;
            return count;
        }
        if (inAt == inEnd) {
            fill();
        }
        int count = Math.min(most, inEnd - inAt);
        System.arraycopy(buffer(), inAt, target, offset, count);
        inAt += count;
        left -= count;
        return count;
    }

    /** Reads what a client sends before it is known, so that it holds no buffer beside its value. */
    private int readUnbuffered(byte[] target, int offset, int length) throws TTransportException {
        if (firstCount == 0) {
            return readOf(target, offset, length);
        }
        int count = Math.min(length, firstCount);
        System.arraycopy(first, 0, target, offset, count);
        firstCount -= count;
        System.arraycopy(first, count, first, 0, firstCount);
        return count;
    }

    private byte[] buffer() {
        byte[] buffer = in;
        if (buffer == null) {
            buffer = buffers.take();
            in = buffer;
        }
        return buffer;
    }

    private void fill() throws TTransportException {
        if (watched) {
            awaitWatcher();
        }
        byte[] buffer = buffer();
        inAt = 0;
        inEnd = 0;
        if (firstCount > 0) {
            System.arraycopy(first, 0, buffer, 0, firstCount);
            inEnd = firstCount;
            firstCount = 0;
        } else if (ended) {
            throw new TTransportException(TTransportException.END_OF_FILE);
        } else {
            inEnd = readOf(buffer, 0, buffer.length);
        }
    }

    private int readOf(byte[] target, int offset, int length) throws TTransportException {
        try {
            int count = input.read(target, offset, length);
            if (count <= 0) {
                throw new TTransportException(TTransportException.END_OF_FILE);
            }
            return count;
        } catch (IOException e) {
            throw new TTransportException(e);
        }
    }

    private void releaseInput() {
        byte[] buffer = in;
        if (buffer != null) {
            in = null;
            inAt = 0;
            inEnd = 0;
            buffers.release(buffer);
        }
    }

    /** Whether reading ahead can provide new information. */
    synchronized boolean isWatchable() {
        return phase == Phase.WORKING && !watched && !ended && firstCount == 0 && in == null;
    }

    /**
     * Reads ahead if a call is running and no other thread reads ahead. Returns when the client has sent something or
     * has disconnected.
     */
    void watch(Runnable whenGone) {
        synchronized (this) {
            if (!isWatchable()) {
                return;
            }
            watched = true;
        }
        int read = -1;
        try {
            read = input.read(first, 0, first.length);
        } catch (IOException e) {
            LOG.debug("a client has gone during a call: {}", e.toString());
        }
        boolean gone = read <= 0;
        synchronized (this) {
            firstCount = Math.max(0, read);
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
    public void write(byte[] source, int offset, int length) throws TTransportException {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            byte[] last = lastBuffer();
            int count = Math.min(end - at, capacity() - lastLength);
            System.arraycopy(source, at, last, lastLength, count);
            lastLength += count;
            at += count;
        }
    }

    /** Whether an answer is one frame, whose length is known when it is complete. */
    private boolean isOneFrame() {
        return framed && protection == null;
    }

    private int capacity() {
        return protection == null ? BufferPool.BUFFER_BYTES : protection.maxBytes();
    }

    /**
     * Returns a buffer with free space. Unless an answer is one frame, one buffer is sufficient, because full buffers
     * are sent immediately.
     */
    private byte[] lastBuffer() throws TTransportException {
        if (out.isEmpty()) {
            out.add(buffers.take());
            lastLength = isOneFrame() ? HEADER_BYTES : 0;
        } else if (lastLength == capacity()) {
            if (isOneFrame()) {
                out.add(buffers.take());
            } else {
                send(out.getLast(), lastLength);
            }
            lastLength = 0;
        }
        return out.getLast();
    }

    private void send(byte[] buffer, int length) throws TTransportException {
        FrameProtection agreed = protection;
        try {
            if (agreed == null) {
                output.write(buffer, 0, length);
            } else {
                byte[] content = agreed.wrap(buffer, length);
                byte[] frame = new byte[HEADER_BYTES + content.length];
                encodeInt(content.length, frame);
                System.arraycopy(content, 0, frame, HEADER_BYTES, content.length);
                output.write(frame);
            }
        } catch (IOException e) {
            throw new TTransportException(e);
        }
        since = System.nanoTime();
    }

    @Override
    public void flush() throws TTransportException {
        if (out.isEmpty()) {
            return;
        }
        if (isOneFrame()) {
            long length = (long) (out.size() - 1) * BufferPool.BUFFER_BYTES + lastLength - HEADER_BYTES;
            encodeInt(Math.toIntExact(length), out.getFirst());
        }
        try {
            for (int i = 0; i < out.size(); i++) {
                send(out.get(i), i == out.size() - 1 ? lastLength : BufferPool.BUFFER_BYTES);
            }
        } finally {
            out.forEach(buffers::release);
            out.clear();
            lastLength = 0;
        }
    }

    private static int decodeInt(byte[] four) {
        return (four[0] & 0xff) << 24 | (four[1] & 0xff) << 16 | (four[2] & 0xff) << 8 | (four[3] & 0xff);
    }

    private static void encodeInt(int value, byte[] target) {
        target[0] = (byte) (value >>> 24);
        target[1] = (byte) (value >>> 16);
        target[2] = (byte) (value >>> 8);
        target[3] = (byte) value;
    }

    /** Releases everything when the connection's thread stops. */
    void release() {
        message = null;
        releaseInput();
        out.forEach(buffers::release);
        out.clear();
        account.clear();
        answers.clear();
    }

    @Override
    public boolean isOpen() {
        return !ended;
    }

    @Override
    public void open() {}

    @Override
    public void close() {}

    @Override
    public TConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public void updateKnownMessageSize(long size) {}

    @Override
    public void checkReadBytesAvailable(long bytes) throws TTransportException {
        if (bytes > left) {
            throw new TTransportException(
                    TTransportException.END_OF_FILE,
                    "a value of " + bytes + " bytes in a message that has " + left + " bytes left");
        }
    }
}
