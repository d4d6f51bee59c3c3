package io.skep.llap.client;

/**
 * What a daemon has to do at a moment, by its own account.
 *
 * @param busy executors at work
 * @param waiting steps that could run and wait for an executor
 */
public record DaemonLoad(int busy, int waiting) {
    /** Nothing to do, or nothing said. */
    public static final DaemonLoad NONE = new DaemonLoad(0, 0);
}
