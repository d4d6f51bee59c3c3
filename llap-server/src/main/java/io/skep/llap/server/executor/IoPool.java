package io.skep.llap.server.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Threads that read. A read completes a future and then the thread takes the next one: it never waits for whoever wanted the
 * rows. Reads that somebody waits for go before reads ahead; how many bytes are read ahead and not yet consumed is bounded by
 * a budget. Thread-safe.
 */
public final class IoPool implements AutoCloseable {
    private final LinkedBlockingDeque<Read<?>> queue = new LinkedBlockingDeque<>();
    private final List<Thread> threads = new ArrayList<>();
    private final long aheadBudgetBytes;
    private final AtomicLong aheadBytes = new AtomicLong();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile boolean closed;

    public IoPool(String name, int threadCount, long aheadBudgetBytes) {
        this.aheadBudgetBytes = aheadBudgetBytes;
        for (int i = 0; i < threadCount; i++) {
            threads.add(Thread.ofPlatform().daemon().name(name + "-io-" + i).start(this::work));
        }
    }

    /** Reads as soon as a thread is free. */
    public <T> CompletableFuture<T> demand(Supplier<T> read) {
        return enqueue(read, true);
    }

    /** Reads when nothing more urgent is to be read. */
    public <T> CompletableFuture<T> ahead(Supplier<T> read) {
        return enqueue(read, false);
    }

    private <T> CompletableFuture<T> enqueue(Supplier<T> supplier, boolean first) {
        Read<T> read = new Read<>(supplier, new CompletableFuture<>());
        pending.incrementAndGet();
        if (first) {
            queue.addFirst(read);
        } else {
            queue.addLast(read);
        }
        if (closed && queue.remove(read)) {
            refuse(read);
        }
        return read.result();
    }

    private record Read<T>(Supplier<T> supplier, CompletableFuture<T> result) {}

    private <T> void run(Read<T> read) {
        T value;
        try {
            value = read.supplier().get();
        } catch (RuntimeException | Error failure) {
            pending.decrementAndGet();
            read.result().completeExceptionally(failure);
            return;
        }
        pending.decrementAndGet();
        read.result().complete(value);
    }

    private void refuse(Read<?> read) {
        pending.decrementAndGet();
        read.result().completeExceptionally(new IllegalStateException("the I/O pool is closed"));
    }

    /** Takes bytes of the budget for reading ahead; they are given back when what was read has been consumed. */
    public boolean tryReserveAhead(long bytes) {
        if (aheadBytes.addAndGet(bytes) > aheadBudgetBytes) {
            aheadBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    public void releaseAhead(long bytes) {
        aheadBytes.addAndGet(-bytes);
    }

    /** Bytes read ahead, or being read ahead, that nobody has consumed yet. */
    public long aheadBytes() {
        return aheadBytes.get();
    }

    /** Reads that wait or run. */
    public int pending() {
        return pending.get();
    }

    private void work() {
        try {
            while (!closed) {
                run(queue.takeFirst());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the threads after the reads that run; reads that wait fail. */
    @Override
    public void close() {
        closed = true;
        for (int i = 0; i < threads.size(); i++) {
            pending.incrementAndGet();
            queue.add(new Read<>(() -> Boolean.TRUE, new CompletableFuture<>()));
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        for (Read<?> read = queue.poll(); read != null; read = queue.poll()) {
            refuse(read);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
