package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Sampling;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Counts a server's operations on files, on its own disk and on the catalog, and makes one of these steps fail.
 * Concurrent operations of other threads are not counted.
 */
public final class StepFaults {
    /** An upper bound of the steps of any attempt. */
    static final int MAX_STEPS = 300;

    /** The ways in which a step fails. */
    public enum Fault {
        /** The step fails; the following steps succeed. */
        ONCE,
        /** The step is done but reported as failed, as when a connection is lost before the answer. */
        DONE,
        /** The step and all later ones fail until the fault is repaired. */
        UNAVAILABLE,
        /** The process dies before the step. */
        DEATH
    }

    /** A step that throws the exceptions that its caller expects. */
    @FunctionalInterface
    public interface Step<T, E extends Exception> {
        T take() throws E;
    }

    /** An operation that is run with a fault at a step. */
    @FunctionalInterface
    public interface Attempt {
        /** Runs the operation; returns false if it has fewer steps. */
        boolean fails(Fault fault, int step) throws IOException;
    }

    /**
     * Runs an operation with every fault at its steps.
     *
     * @param stride the distance between steps that fail; 1 with {@link Sampling all cases}
     */
    static void atSteps(String what, int stride, Attempt attempt) throws IOException {
        atSteps(what, stride, EnumSet.allOf(Fault.class), attempt);
    }

    /** As above, with some faults. */
    public static void atSteps(String what, int stride, Set<Fault> faults, Attempt attempt) throws IOException {
        for (Fault fault : faults) {
            // Operations and faults begin with different steps.
            int step = (what.length() + fault.ordinal()) % Sampling.stride(stride);
            while (attempt.fails(fault, step)) {
                step += Sampling.stride(stride);
                assertThat(step).isLessThan(MAX_STEPS);
            }
            assertThat(step).as("steps of %s", what).isGreaterThan(1);
        }
    }

    private Optional<Fault> fault = Optional.empty();
    private Optional<Runnable> meanwhile = Optional.empty();
    private Thread thread = Thread.currentThread();
    private int left;
    private int taken;
    private boolean isReached;

    /** @param step the index of the step that fails, from 0 */
    public void fail(Fault how, int step) {
        fault = Optional.of(how);
        left = step;
        taken = 0;
        thread = Thread.currentThread();
        isReached = false;
    }

    /** Stops the process before a step while other code runs, and then continues it with the step. */
    void stop(int step, Runnable during) {
        fail(Fault.DEATH, step);
        meanwhile = Optional.of(during);
    }

    /** Whether the failing step was reached. */
    public boolean isReached() {
        return isReached;
    }

    /** Returns how many steps were counted. */
    int taken() {
        return taken;
    }

    public void repair() {
        fault = Optional.empty();
        meanwhile = Optional.empty();
    }

    /** Runs a step in the table's files or in the catalog. */
    void run(Runnable step) {
        taken(() -> {
            step.run();
            return true;
        });
    }

    <T> T taken(Step<T, RuntimeException> step) {
        if (!isFailing()) {
            return step.take();
        }
        if (fault.orElseThrow() == Fault.DONE) {
            step.take();
        }
        checkDeath();
        throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "it fails here");
    }

    /**
     * Runs a step that changes nothing. Dying before it is the same as dying before the next step, so only the fault of
     * a single failure applies.
     */
    <T> T read(Step<T, RuntimeException> step) {
        return fault.filter(how -> how == Fault.ONCE).isPresent() ? taken(step) : step.take();
    }

    /** Runs a step on the server's own disk. */
    <T> T onDisk(Step<T, IOException> step) throws IOException {
        if (!isFailing()) {
            return step.take();
        }
        if (fault.orElseThrow() == Fault.DONE) {
            step.take();
        }
        checkDeath();
        throw new IOException("it fails here");
    }

    private void checkDeath() {
        if (fault.orElseThrow() == Fault.DEATH) {
            throw new AssertionError("it dies and fails here");
        }
    }

    /** Whether the current step fails. After a death no step runs, and while the peers are away no step succeeds. */
    private boolean isFailing() {
        if (fault.isEmpty() || !Thread.currentThread().equals(thread)) {
            return false;
        }
        boolean isLasting = fault.get() == Fault.UNAVAILABLE || fault.get() == Fault.DEATH;
        boolean isFailing = left == 0 || left < 0 && isLasting;
        left--;
        taken++;
        isReached |= isFailing;
        if (isFailing && meanwhile.isPresent()) {
            Runnable during = meanwhile.get();
            repair();
            during.run();
            return false;
        }
        return isFailing;
    }
}
