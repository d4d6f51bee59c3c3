package io.skep.engine.operator.script;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The pipes of a script's process, with a thread for each. What waits in either direction is bounded. Thread-safe; no
 * other code is called with the lock held.
 */
final class ScriptPipes implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ScriptPipes.class.getName());

    private static final int PIECE = 64 << 10;

    /** The number of pieces of output that wait. */
    private static final int MAX_PIECES = 4;

    /** The number of chunks of input that wait. */
    private static final int MAX_CHUNKS = 2;

    /** The bytes of pieces that wait or are being read, of all streams, and of the tail of stderr. */
    static final long FIXED_BYTES = (MAX_PIECES + 2L) * PIECE + ErrorTail.BYTES;

    /** How long threads may take to end when all processes are gone. */
    static final Duration LONGEST_END = Duration.ofSeconds(10);

    /** Bytes that the script has printed. */
    record Piece(byte[] data, int count) {}

    /** Bytes for the script. */
    private record Chunk(byte[] data, int count) {}

    private final String name;
    private final OutputStream input;
    private final InputStream output;
    private final InputStream errors;
    private final long maxLoggedBytes;
    private final ErrorTail tail = new ErrorTail();
    private final List<Thread> threads;

    @GuardedBy("this")
    private final Queue<Chunk> chunks = new ArrayDeque<>();

    @GuardedBy("this")
    private final Queue<Piece> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private long chunkBytes;

    @GuardedBy("this")
    private long pieces;

    @GuardedBy("this")
    private boolean inputClosed;

    @GuardedBy("this")
    private boolean inputWritten;

    @GuardedBy("this")
    private @Nullable IOException inputFailure;

    @GuardedBy("this")
    private boolean outputEnded;

    @GuardedBy("this")
    private boolean errorsEnded;

    @GuardedBy("this")
    private @Nullable Throwable outputFailure;

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private CompletableFuture<@Nullable Void> change = new CompletableFuture<>();

    /**
     * @param name names the script in the log, and the threads
     * @param maxLoggedBytes bytes of stderr that go to the log; the rest is only read
     */
    ScriptPipes(OutputStream input, InputStream output, InputStream errors, String name, long maxLoggedBytes) {
        this.name = name;
        this.input = input;
        this.output = output;
        this.errors = errors;
        this.maxLoggedBytes = maxLoggedBytes;
        this.threads = List.of(
                thread("script-stdin", this::write),
                thread("script-stdout", this::read),
                thread("script-stderr", this::readErrors));
        threads.forEach(Thread::start);
    }

    private Thread thread(String purpose, Runnable work) {
        return Thread.ofPlatform().daemon().name(purpose + " " + name).unstarted(work);
    }

    /** Returns a future that is done as soon as anything changes after this call. */
    synchronized CompletableFuture<?> change() {
        return change;
    }

    /** Wakes all that wait for a change. */
    void changed() {
        CompletableFuture<@Nullable Void> before;
        synchronized (this) {
            before = change;
            change = new CompletableFuture<>();
            notifyAll();
        }
        before.complete(null);
    }

    /** Whether {@link #send} may be called. */
    synchronized boolean takesInput() {
        return chunks.size() < MAX_CHUNKS && !inputClosed && inputFailure == null;
    }

    /** Gives bytes to the script. The array is not changed afterwards. */
    void send(byte[] data, int count) {
        synchronized (this) {
            chunks.add(new Chunk(data, count));
            chunkBytes += data.length;
        }
        changed();
    }

    /** Says that no more input follows. Idempotent. */
    void closeInput() {
        synchronized (this) {
            if (inputClosed) {
                return;
            }
            inputClosed = true;
        }
        changed();
    }

    /** Whether the script's input has been closed, after all of it was written or a part was refused. */
    synchronized boolean inputIsDone() {
        return inputWritten || inputFailure != null;
    }

    /** Returns why the script has not taken its input, if it has not. */
    synchronized Optional<IOException> inputFailure() {
        return Optional.ofNullable(inputFailure);
    }

    synchronized Optional<Throwable> outputFailure() {
        return Optional.ofNullable(outputFailure);
    }

    synchronized Optional<Piece> poll() {
        Piece piece = waiting.poll();
        notifyAll();
        return Optional.ofNullable(piece);
    }

    synchronized boolean hasOutput() {
        return !waiting.isEmpty();
    }

    /** Whether the script is held up because its output is not taken. */
    synchronized boolean isFull() {
        return waiting.size() >= MAX_PIECES;
    }

    /** Returns the number of pieces that were read so far. */
    synchronized long pieces() {
        return pieces;
    }

    /** Whether stdout and stderr have ended. Pieces may still wait. */
    synchronized boolean outputEnded() {
        return outputEnded && errorsEnded;
    }

    /** Treats the output as ended, because what holds it open cannot be found. */
    void abandonOutput() {
        try {
            for (Thread thread : threads.subList(1, threads.size())) {
                thread.join(LONGEST_END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            outputEnded = true;
            errorsEnded = true;
        }
        changed();
    }

    /** Returns the bytes that wait for the script. */
    synchronized long inputBytes() {
        return chunkBytes;
    }

    ErrorTail tail() {
        return tail;
    }

    private void write() {
        try (input) {
            for (Chunk chunk = nextChunk(); chunk != null; chunk = nextChunk()) {
                input.write(chunk.data(), 0, chunk.count());
                input.flush();
                synchronized (this) {
                    chunkBytes -= chunk.data().length;
                }
                changed();
            }
        } catch (IOException e) {
            synchronized (this) {
                inputFailure = e;
                chunks.clear();
                chunkBytes = 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            inputWritten = inputFailure == null;
        }
        changed();
    }

    private synchronized @Nullable Chunk nextChunk() throws InterruptedException {
        while (chunks.isEmpty() && !inputClosed && !closed) {
            wait();
        }
        return closed ? null : chunks.poll();
    }

    private void read() {
        try {
            while (awaitRoom()) {
                byte[] data = new byte[PIECE];
                int count = output.read(data);
                if (count < 0) {
                    break;
                }
                synchronized (this) {
                    waiting.add(new Piece(data, count));
                    pieces++;
                }
                changed();
            }
        } catch (IOException e) {
            synchronized (this) {
                outputFailure = closed ? null : e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            outputEnded = true;
        }
        changed();
    }

    private synchronized boolean awaitRoom() throws InterruptedException {
        while (waiting.size() >= MAX_PIECES && !closed) {
            wait();
        }
        return !closed;
    }

    private void readErrors() {
        byte[] data = new byte[PIECE];
        long logged = 0;
        try {
            for (int count = errors.read(data); count >= 0; count = errors.read(data)) {
                tail.add(data, count);
                int shown = (int) Math.min(count, maxLoggedBytes - logged);
                if (shown > 0) {
                    logged += shown;
                    LOG.log(
                            System.Logger.Level.INFO,
                            "{0} wrote to stderr: {1}",
                            name,
                            new String(data, 0, shown, StandardCharsets.UTF_8).stripTrailing());
                }
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the stderr of " + name + " has ended", e);
        }
        synchronized (this) {
            errorsEnded = true;
        }
        changed();
    }

    /** Ends the threads. All processes at the other ends have been killed. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            chunks.clear();
            waiting.clear();
            chunkBytes = 0;
        }
        changed();
        long end = System.nanoTime() + LONGEST_END.toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
            output.close();
            errors.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the pipes of " + name + " are closed already", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (threads.stream().anyMatch(Thread::isAlive)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} has left a process that holds its pipes open, and that cannot be found",
                    name);
        }
    }
}
