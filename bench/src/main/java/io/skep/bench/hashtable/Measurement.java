package io.skep.bench.hashtable;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * The result of one contender in one case: the medians of several rounds, after warm-up rounds. Times are CPU times of
 * the thread, which minimizes the effect of other work on the machine. They do not include the collector's threads.
 *
 * @param buildNanos 0 when building and probing cannot be timed separately
 */
record Measurement(Case of, long buildNanos, long probeNanos, long overheadBytes, long sum) {
    private static final long WARM_NANOS = 700_000_000;
    private static final long ENOUGH_NANOS = 1_500_000_000;
    private static final int ROUNDS = 7;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /**
     * The rows of a case, and the contender.
     *
     * @param kind join, aggregation, or small: an aggregation by small numbers without gaps
     */
    record Case(String kind, String contender, int rows, int duplicatePercent, int probes) {
        Keys keys() {
            Keys keys = Keys.of(rows, duplicatePercent, probes);
            return kind.equals("small") ? keys.close() : keys;
        }

        boolean join() {
            return kind.equals("join");
        }
    }

    static Measurement take(Case of, Contender contender) {
        long warm = 0;
        while (warm < WARM_NANOS) {
            long[] round = round(contender);
            warm += round[0] + round[1];
        }
        long[] builds = new long[ROUNDS];
        long[] probes = new long[ROUNDS];
        long sum = 0;
        long taken = 0;
        int rounds = 0;
        while (rounds < 1 || rounds < ROUNDS && taken < ENOUGH_NANOS) {
            long[] round = round(contender);
            builds[rounds] = round[0];
            probes[rounds++] = round[1];
            sum = round[2];
            taken += round[0] + round[1];
        }
        long build = contender.whole() ? 0 : median(builds, rounds);
        return new Measurement(of, build, median(probes, rounds), contender.overheadBytes(), sum);
    }

    /** Returns the nanoseconds of this thread in a build and in a probe, and the sum. */
    private static long[] round(Contender contender) {
        long start = THREADS.getCurrentThreadCpuTime();
        contender.build();
        long built = THREADS.getCurrentThreadCpuTime();
        long sum = contender.probe();
        return new long[] {built - start, THREADS.getCurrentThreadCpuTime() - built, sum};
    }

    private static long median(long[] values, int count) {
        long[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    double buildRate() {
        return buildNanos == 0 ? 0 : of.rows() * 1e3 / buildNanos;
    }

    double probeRate() {
        return buildNanos == 0 ? 0 : of.probes() * 1e3 / probeNanos;
    }

    /** Returns the million rows per second of both steps together. */
    double wholeRate() {
        return ((double) of.rows() + of.probes()) * 1e3 / (buildNanos + probeNanos);
    }

    /** Returns one line that {@link #parse} reads. */
    String line() {
        return String.join(
                " ",
                of.kind(),
                of.contender(),
                Integer.toString(of.rows()),
                Integer.toString(of.duplicatePercent()),
                Integer.toString(of.probes()),
                Long.toString(buildNanos),
                Long.toString(probeNanos),
                Long.toString(overheadBytes),
                Long.toString(sum));
    }

    static Measurement parse(String line) {
        String[] parts = line.split(" ");
        Case of = new Case(
                parts[0], parts[1], Integer.parseInt(parts[2]), Integer.parseInt(parts[3]), Integer.parseInt(parts[4]));
        return new Measurement(
                of,
                Long.parseLong(parts[5]),
                Long.parseLong(parts[6]),
                Long.parseLong(parts[7]),
                Long.parseLong(parts[8]));
    }
}
