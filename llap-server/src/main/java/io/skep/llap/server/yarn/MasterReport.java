package io.skep.llap.server.yarn;

import java.util.List;

/**
 * The application master's report for {@code status}, from which the next master continues.
 *
 * @param attempt attempt of the application, counted from 1
 * @param daemons daemons that are not stopped yet
 * @param failures the last failures, oldest first
 * @param writtenMillis when it was written, in milliseconds since 1970
 */
record MasterReport(
        String application, int attempt, List<ReportedDaemon> daemons, List<String> failures, long writtenMillis) {
    MasterReport {
        daemons = List.copyOf(daemons);
        failures = List.copyOf(failures);
    }

    /** @param address the last known address; without a host until the daemon has announced one */
    record ReportedDaemon(DaemonContainer container, DaemonAddress address) {}

    /** Returns how many daemons of this or a later generation accept tasks. */
    int ready(long generation) {
        return (int) daemons.stream()
                .map(ReportedDaemon::container)
                .filter(one -> one.phase() == DaemonPhase.READY && one.generation() >= generation)
                .count();
    }
}
