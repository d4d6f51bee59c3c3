package io.skep.ql.testing;

import io.skep.common.vector.Batch;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.ql.commit.TableFiles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Stops one thread's statement at a phase until it may continue. Statements of other threads pass. */
public final class StatementGate {
    /** The phases at which a write can be stopped. */
    public enum Phase {
        BEFORE_WRITING,
        WRITTEN,
        IN_COMMIT
    }

    private static final class Armed {
        private final Thread thread;
        private final Phase phase;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        private Armed(Thread thread, Phase phase) {
            this.thread = thread;
            this.phase = phase;
        }
    }

    private volatile @Nullable Armed armed;

    /** The latches that a test uses to control a stopped statement. */
    public record Stop(CountDownLatch reached, CountDownLatch open) {}

    /** Makes the first arrival of a thread at a phase wait for {@link Stop#open}. */
    public Stop arm(Thread thread, Phase phase) {
        Armed now = new Armed(thread, phase);
        armed = now;
        return new Stop(now.reached, now.open);
    }

    /** Disarms the gate after the armed thread has passed, so that its next statement is not stopped. */
    public void disarm() {
        armed = null;
    }

    private void pass(Phase phase) {
        Armed now = armed;
        if (now != null
                && now.phase == phase
                && now.thread.equals(Thread.currentThread())
                && now.reached.getCount() > 0) {
            now.reached.countDown();
            try {
                now.open.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public StageGraphRunner runner(StageGraphRunner inner) {
        return run -> {
            pass(Phase.BEFORE_WRITING);
            return new Execution(inner.start(run));
        };
    }

    private final class Execution extends ForwardingExecution {
        private Execution(StageGraphExecution inner) {
            super(inner);
        }

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            CompletableFuture<Optional<Batch>> next = super.next();
            if (next.handle((batch, failure) -> failure == null && batch.isEmpty())
                    .join()) {
                pass(Phase.WRITTEN);
            }
            return next;
        }
    }

    public TableFiles files(TableFiles inner) {
        return (TableFiles) Proxy.newProxyInstance(
                TableFiles.class.getClassLoader(), new Class<?>[] {TableFiles.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("move")) {
                        pass(Phase.IN_COMMIT);
                    }
                    try {
                        Object result = method.invoke(inner, arguments);
                        if (method.getName().equals("concatenate")) {
                            pass(Phase.WRITTEN);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
