package io.skep.itests.daemons;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which runs of subjects in two modes are part of each run of the tests; with {@code -Dskep.daemons=all} all are. */
final class ChosenRuns {
    private static final boolean ALL = System.getProperty("skep.daemons", "").equals("all");

    private ChosenRuns() {}

    /**
     * Keeps one subject of so many, in one of its modes in turn.
     *
     * @param runs each subject in one mode and then in the other
     */
    static <T> Stream<T> of(Stream<T> runs, int subjects) {
        List<T> all = runs.toList();
        return IntStream.range(0, all.size())
                .filter(run -> ALL || isChosen(run / 2, run % 2, subjects))
                .mapToObj(all::get);
    }

    private static boolean isChosen(int subject, int mode, int subjects) {
        return subject % subjects == 0 && subject / subjects % 2 == mode;
    }
}
