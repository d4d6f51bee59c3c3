package io.skep.llap.client.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * A queue of outgoing frames. All frames that have gathered when the stream is ready are sent as one message. So many
 * tasks that are submitted or finish at once need only one message. After a message could not be sent, no more are
 * sent. Thread-safe; {@link #add} never waits.
 */
public final class Outbox<F> {
    /** The maximum number of frames in a message. */
    private static final int MAX_FRAMES = 256;

    /**
     * A message that has reached this size gets no more frames, so that a message queued behind it does not wait long.
     */
    private static final long MAX_BYTES = 256 << 10;

    private final Executor executor;
    private final BooleanSupplier ready;
    private final ToLongFunction<F> size;
    private final Consumer<List<F>> send;
    private final Consumer<Throwable> onFailure;
    private final Queue<F> frames = new ConcurrentLinkedQueue<>();
    private final AtomicInteger wishes = new AtomicInteger();

    /**
     * @param ready whether the stream accepts another message; {@link #flush} is called when it does again
     * @param send writes a message; one call at a time
     * @param onFailure called once when a message could not be sent, to end the stream; frames are lost then
     */
    public Outbox(Executor executor, BooleanSupplier ready, Consumer<List<F>> send, Consumer<Throwable> onFailure) {
        this(executor, ready, frame -> 0, send, onFailure);
    }

    /** @param size the approximate size of a frame in bytes; always the same for the same frame */
    public Outbox(
            Executor executor,
            BooleanSupplier ready,
            ToLongFunction<F> size,
            Consumer<List<F>> send,
            Consumer<Throwable> onFailure) {
        this.executor = executor;
        this.ready = ready;
        this.size = size;
        this.send = send;
        this.onFailure = onFailure;
    }

    public void add(F frame) {
        frames.add(frame);
        flush();
    }

    /** Sends the queued frames on another thread. */
    public void flush() {
        if (wishes.getAndIncrement() == 0) {
            executor.execute(this::drainOrFail);
        }
    }

    private void drainOrFail() {
        try {
            drain();
        } catch (RuntimeException | Error e) {
            // The counter stays above zero, so that no frame is sent after the lost ones.
            frames.clear();
            onFailure.accept(e);
        }
    }

    private void drain() {
        int seen = wishes.get();
        while (true) {
            while (!frames.isEmpty() && ready.getAsBoolean()) {
                send.accept(take());
            }
            int left = wishes.addAndGet(-seen);
            if (left == 0) {
                return;
            }
            seen = left;
        }
    }

    private List<F> take() {
        List<F> taken = new ArrayList<>();
        long takenBytes = 0;
        while (taken.size() < MAX_FRAMES && takenBytes < MAX_BYTES) {
            F frame = frames.poll();
            if (frame == null) {
                break;
            }
            taken.add(frame);
            takenBytes += size.applyAsLong(frame);
        }
        return taken;
    }
}
