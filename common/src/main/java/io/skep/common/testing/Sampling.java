package io.skep.common.testing;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The part of a long list of cases that runs in each build. With the system property {@code skep.tests=all} all of it
 * runs, as it must before an issue is resolved.
 */
public final class Sampling {
    private static final boolean ALL = System.getProperty("skep.tests", "").equals("all");

    private Sampling() {}

    public static boolean isOff() {
        return ALL;
    }

    /** Returns the distance between two cases that run: {@code stride}, or 1 when all run. */
    public static int stride(int stride) {
        return ALL ? 1 : stride;
    }

    /** Returns one of every {@code stride} cases in their order, starting with the first. */
    public static <T> Stream<T> of(List<T> cases, int stride) {
        return IntStream.range(0, cases.size())
                .filter(index -> index % stride(stride) == 0)
                .mapToObj(cases::get);
    }
}
