package io.skep.engine.operator;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Several page inputs as one stream that drivers share. Batches are returned in the order of their arrival. One batch
 * of each input is prefetched. Guarded by its own monitor. Futures are completed outside of the lock.
 */
public final class PageInputs implements AutoCloseable {
    private record Arrival(PageInput input, Batch batch) {}

    private final List<PageInput> inputs;

    @GuardedBy("this")
    private final Queue<Arrival> arrived = new ArrayDeque<>();

    @GuardedBy("this")
    private int open;

    @GuardedBy("this")
    private boolean started;

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private @Nullable Throwable failure;

    @GuardedBy("this")
    private CompletableFuture<@Nullable Void> change = new CompletableFuture<>();

    public PageInputs(List<PageInput> inputs) {
        this.inputs = List.copyOf(inputs);
        this.open = inputs.size();
    }

    /** Returns a future that is done when there is a batch, the end, or a failure. */
    public CompletableFuture<?> blocked() {
        start();
        synchronized (this) {
            if (settled()) {
                return Operator.NOT_BLOCKED;
            }
            if (change.isDone()) {
                change = new CompletableFuture<>();
            }
            return change;
        }
    }

    /** Returns a batch if one is available, otherwise null. */
    public @Nullable Batch poll() {
        start();
        Arrival next;
        synchronized (this) {
            if (failure != null) {
                throw Failures.asSkepException(failure);
            }
            next = arrived.poll();
        }
        if (next == null) {
            return null;
        }
        ask(next.input());
        return next.batch();
    }

    public synchronized boolean finished() {
        return closed || started && open == 0 && arrived.isEmpty() && failure == null;
    }

    @GuardedBy("this")
    private boolean settled() {
        return closed || failure != null || !arrived.isEmpty() || open == 0;
    }

    private void start() {
        synchronized (this) {
            if (started) {
                return;
            }
            started = true;
        }
        inputs.forEach(this::ask);
    }

    private void ask(PageInput input) {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        var _ = input.next().whenComplete((batch, error) -> {
            if (error == null) {
                arrive(input, batch);
            } else {
                fail(error);
            }
        });
    }

    private void fail(Throwable error) {
        CompletableFuture<@Nullable Void> toComplete;
        synchronized (this) {
            failure = failure == null ? error : failure;
            toComplete = change;
        }
        toComplete.complete(null);
    }

    private void arrive(PageInput input, Optional<Batch> batch) {
        CompletableFuture<@Nullable Void> toComplete;
        synchronized (this) {
            if (batch.isPresent()) {
                arrived.add(new Arrival(input, batch.get()));
            } else {
                open--;
            }
            if (!settled()) {
                return;
            }
            toComplete = change;
        }
        toComplete.complete(null);
    }

    @Override
    public void close() {
        CompletableFuture<@Nullable Void> toComplete;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            arrived.clear();
            toComplete = change;
        }
        List<PageInput> all = new ArrayList<>(inputs);
        all.forEach(PageInput::close);
        toComplete.complete(null);
    }
}
