package io.skep.ql.compaction;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets the n-th call of some methods fail, or stops the process at it: then all later calls fail too, and the call may
 * have had its effect.
 */
final class StepFaults {
    /** What the callers see of a killed process. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private final AtomicInteger left;
    private final boolean kills;
    private final boolean after;
    private final AtomicBoolean dead = new AtomicBoolean();
    private final AtomicBoolean reached = new AtomicBoolean();

    /**
     * @param step the number of the call, from 0
     * @param after whether the call has its effect
     */
    StepFaults(int step, boolean kills, boolean after) {
        this.left = new AtomicInteger(step);
        this.kills = kills;
        this.after = after;
    }

    boolean reached() {
        return reached.get();
    }

    <T> T around(Class<T> type, T real, List<String> steps) {
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
            if (dead.get()) {
                throw new Killed();
            }
            boolean fails = steps.contains(method.getName()) && left.getAndDecrement() == 0;
            if (fails) {
                reached.set(true);
                dead.set(kills);
                if (!after) {
                    throw failure();
                }
            }
            @Nullable Object result;
            try {
                result = method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
            if (fails) {
                throw failure();
            }
            return result;
        });
        return type.cast(proxy);
    }

    private Throwable failure() {
        return kills ? new Killed() : new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "the step fails");
    }
}
