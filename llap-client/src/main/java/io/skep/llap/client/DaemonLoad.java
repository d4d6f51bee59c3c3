package io.skep.llap.client;

/**
 * The load of a daemon at one point in time, as the daemon reports it.
 *
 * @param busy executors at work
 * @param waiting steps that could run and wait for an executor
 * @param overdueNanos how long its next report is overdue
 */
public record DaemonLoad(int busy, int waiting, long overdueNanos) {
    /** The load of a daemon that has nothing to do, or has reported nothing. */
    public static final DaemonLoad NONE = new DaemonLoad(0, 0);

    /** Creates the load of a daemon whose reports are on time. */
    public DaemonLoad(int busy, int waiting) {
        this(busy, waiting, 0);
    }
}
