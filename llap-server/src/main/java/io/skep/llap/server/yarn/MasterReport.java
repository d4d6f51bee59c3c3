package io.skep.llap.server.yarn;

import java.util.List;

/**
 * What the application master says for {@code status}, and what the next one goes on from.
 *
 * @param attempt of the application, counted from 1
 * @param daemons those that are not stopped yet
 * @param failures the last ones, oldest first
 * @param writtenMillis when, in milliseconds since 1970
 */
record MasterReport(
        String application, int attempt, List<ReportedDaemon> daemons, List<String> failures, long writtenMillis) {
    MasterReport {
        daemons = List.copyOf(daemons);
        failures = List.copyOf(failures);
    }

    /** @param address the last known; of no host before the daemon has told one */
    record ReportedDaemon(DaemonContainer container, DaemonAddress address) {}

    /** How many daemons of the generation, or a later one, take tasks. */
    int ready(long generation) {
        return (int) daemons.stream()
                .map(ReportedDaemon::container)
                .filter(one -> one.phase() == DaemonPhase.READY && one.generation() >= generation)
                .count();
    }
}
