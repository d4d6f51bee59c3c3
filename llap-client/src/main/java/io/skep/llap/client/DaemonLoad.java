package io.skep.llap.client;

/**
 * What a daemon has to do at a moment, by its own account.
 *
 * @param busy executors at work
 * @param waiting steps that could run and wait for an executor
 * @param overdueNanos for how long it should have said something and has not
 */
public record DaemonLoad(int busy, int waiting, long overdueNanos) {
    /** Nothing to do, or nothing said. */
    public static final DaemonLoad NONE = new DaemonLoad(0, 0);

    /** Of a daemon that speaks when it should. */
    public DaemonLoad(int busy, int waiting) {
        this(busy, waiting, 0);
    }
}
