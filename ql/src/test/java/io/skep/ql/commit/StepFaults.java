package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.util.Optional;

/**
 * Counts what a server does to files, to its own disk and to the catalog, and lets one of these steps fail. What other
 * threads do at the same time is not counted.
 */
final class StepFaults {
    /** More steps than anything that is tried takes. */
    static final int MAX_STEPS = 300;

    /** How a step fails. */
    enum Fault {
        /** It fails, the next ones do not. */
        ONCE,
        /** It is done and reported as failed, as when a connection is lost before the answer. */
        DONE,
        /** It and all later ones fail until all is mended. */
        AWAY,
        /** The process dies before it. */
        DEATH
    }

    /** A step that throws what its caller expects. */
    @FunctionalInterface
    interface Step<T, E extends Exception> {
        T take() throws E;
    }

    /** Something that is tried with a fault at a step. */
    @FunctionalInterface
    interface Attempt {
        /** False when it takes fewer steps. */
        boolean fails(Fault fault, int step) throws IOException;
    }

    /**
     * Tries something with every fault at each of its steps.
     *
     * @param stride from one step to the next one that fails
     */
    static void atEveryStep(String what, int stride, Attempt attempt) throws IOException {
        for (Fault fault : Fault.values()) {
            int step = fault.ordinal() % stride;
            while (attempt.fails(fault, step)) {
                step += stride;
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

    /** @param step the number of the step that fails, from 0 */
    void fail(Fault how, int step) {
        fault = Optional.of(how);
        left = step;
        taken = 0;
        thread = Thread.currentThread();
        isReached = false;
    }

    /** The process is stopped before a step while something else happens, and then goes on with it. */
    void stop(int step, Runnable during) {
        fail(Fault.DEATH, step);
        meanwhile = Optional.of(during);
    }

    /** Whether the step that was to fail came. */
    boolean isReached() {
        return isReached;
    }

    /** How many steps have come. */
    int taken() {
        return taken;
    }

    void repair() {
        fault = Optional.empty();
        meanwhile = Optional.empty();
    }

    /** A step in the table's files or in the catalog. */
    void take(Runnable step) {
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

    /** A step that changes nothing: to die before it is to die before the next one, so it only fails once. */
    <T> T read(Step<T, RuntimeException> step) {
        return fault.filter(how -> how == Fault.ONCE).isPresent() ? taken(step) : step.take();
    }

    /** A step on the server's own disk. */
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

    /** Nobody does anything after a death, nor gets anything done while all is away. */
    private boolean isFailing() {
        if (fault.isEmpty() || !Thread.currentThread().equals(thread)) {
            return false;
        }
        boolean isLasting = fault.get() == Fault.AWAY || fault.get() == Fault.DEATH;
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
