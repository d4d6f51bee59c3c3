package io.skep.common.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Waits of tests for a condition, by Awaitility with the same settings everywhere. The condition is evaluated by the
 * waiting thread, because some tests check that no thread is left, and because some conditions belong to their thread.
 * It is evaluated at once and then every five milliseconds, because most waits are short. Exceptions of other threads
 * do not end a wait, because tests let threads die.
 */
public final class Polling {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofMillis(5);

    private Polling() {}

    /** Begins a wait of five minutes at most, or of {@link ConditionFactory#atMost} where that is called. */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what)
                .pollInSameThread()
                .dontCatchUncaughtExceptions()
                .pollDelay(Duration.ZERO)
                .pollInterval(PAUSE)
                .atMost(PATIENCE);
    }

    /** Waits until a condition is true, for a limited time. Returns whether it became true. */
    public static boolean comesTrue(Duration limit, Callable<Boolean> condition) {
        try {
            await("a condition").atMost(limit).until(condition);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }
}
