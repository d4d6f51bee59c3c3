package io.skep.itests.daemons;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which runs of subjects in two modes are part of each run of the tests; with {@code -Dskep.daemons=all} all are. */
final class EveryOther {
    private static final boolean ALL = System.getProperty("skep.daemons", "").equals("all");

    private EveryOther() {}

    /** @param runs each subject in one mode and then in the other; one of the two is kept, in turn */
    static <T> Stream<T> of(Stream<T> runs) {
        List<T> all = runs.toList();
        return IntStream.range(0, all.size())
                .filter(i -> ALL || i % 4 == 0 || i % 4 == 3)
                .mapToObj(all::get);
    }
}
