package io.skep.ql.testing;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.metastore.Catalog;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.execution.RunListener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Holds the first statement that reaches a call of files, catalog or rows, and records changes that occur before the
 * commit begins.
 */
public final class DefinitionGate {
    private static final String BEFORE_COMMIT = "beginCommit";
    private static final String CHANGE = "change";
    private static final List<String> CHANGES = List.of("create", "alter", "drop", "add", "rename", "put");

    private final ThreadLocal<@Nullable Boolean> isCommitting = new ThreadLocal<>();
    private final ConcurrentLinkedQueue<String> early = new ConcurrentLinkedQueue<>();
    private final AtomicInteger after = new AtomicInteger();
    private volatile @Nullable Hold hold;

    /** @param isEndedByInterrupt whether an interrupt makes it continue, with the interrupt still set */
    private record Hold(String call, boolean isEndedByInterrupt, CountDownLatch reached, CountDownLatch open) {}

    private void hold(String call, boolean isEndedByInterrupt) {
        after.set(0);
        hold = new Hold(call, isEndedByInterrupt, new CountDownLatch(1), new CountDownLatch(1));
    }

    public void holdBeforeCommit() {
        hold(BEFORE_COMMIT, false);
    }

    public void holdInCatalog() {
        hold(CHANGE, false);
    }

    /** @param call a method of {@link TableFiles} or {@link Catalog}, or "next" for the rows of a query */
    public void holdUntilInterrupted(String call) {
        hold(call, true);
    }

    public void awaitHeld(CompletableFuture<?> statement) throws InterruptedException {
        Hold now = held();
        CompletableFuture<?> over =
                statement.whenComplete((_, _) -> now.reached().countDown());
        now.reached().await();
        if (statement.isDone()) {
            throw new IllegalStateException("the statement has not come to " + now.call() + ": " + over);
        }
    }

    private Hold held() {
        Hold now = hold;
        if (now == null) {
            throw new IllegalStateException("nothing is to be held");
        }
        return now;
    }

    public void release() {
        held().open().countDown();
    }

    public int callsAfterHold() {
        return after.get();
    }

    /** Returns the changes of the catalog by statements that could still be cancelled. */
    public List<String> earlyChanges() {
        return List.copyOf(early);
    }

    /** Marks the calling thread as running a statement. */
    public RunListener begin(RunListener execution) {
        isCommitting.set(false);
        return new RunListener() {
            @Override
            public void log(String line) {
                execution.log(line);
            }

            @Override
            public void beginCommit() {
                pass(BEFORE_COMMIT);
                execution.beginCommit();
                isCommitting.set(true);
            }
        };
    }

    public void end() {
        isCommitting.remove();
    }

    private void pass(String call) {
        Hold now = hold;
        if (now == null || isCommitting.get() == null || !now.call().equals(call)) {
            return;
        }
        if (now.reached().getCount() == 0) {
            after.incrementAndGet();
            return;
        }
        now.reached().countDown();
        try {
            now.open().await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (!now.isEndedByInterrupt()) {
                throw new IllegalStateException("interrupted at " + call, e);
            }
        }
    }

    private void passChange(String change) {
        if (Boolean.FALSE.equals(isCommitting.get())) {
            early.add(change);
        }
        pass(CHANGE);
    }

    public Catalog catalog(Catalog inner) {
        return wrapped(Catalog.class, inner, method -> {
            if (method.getReturnType() == void.class && CHANGES.stream().anyMatch(method.getName()::startsWith)) {
                passChange(method.getName());
            } else {
                pass(method.getName());
            }
        });
    }

    public TableFiles files(TableFiles inner) {
        return wrapped(TableFiles.class, inner, method -> pass(method.getName()));
    }

    private interface Call {
        void of(Method method);
    }

    private static <T> T wrapped(Class<T> type, T inner, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    call.of(method);
                    try {
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    public StageGraphRunner runner(StageGraphRunner inner) {
        return run -> new Execution(inner.start(run));
    }

    /** An execution whose rows do not arrive while they are held, until it is cancelled. */
    private final class Execution implements StageGraphExecution {
        private final StageGraphExecution inner;
        private final CompletableFuture<Optional<Batch>> never = new CompletableFuture<>();

        private Execution(StageGraphExecution inner) {
            this.inner = inner;
        }

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            Hold now = hold;
            if (now != null && now.call().equals("next") && now.reached().getCount() > 0) {
                now.reached().countDown();
                return never;
            }
            return inner.next();
        }

        @Override
        public void cancel(SkepException reason) {
            inner.cancel(reason);
            never.completeExceptionally(reason);
        }

        @Override
        public ExecutionStats stats() {
            return inner.stats();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
