package io.skep.itests.sql;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which runs of subjects in two modes are part of each run of the tests, where all of them take too long. */
public final class ChosenRuns {
    private ChosenRuns() {}

    /**
     * Keeps one subject of so many, in one of its modes in turn.
     *
     * @param runs each subject in one mode and then in the other
     * @param place property of the system with which all runs are kept when it is {@code all}
     */
    public static <T> Stream<T> of(Stream<T> runs, int subjects, String place) {
        if (System.getProperty(place, "").equals("all")) {
            return runs;
        }
        List<T> all = runs.toList();
        return IntStream.range(0, all.size())
                .filter(run -> isChosen(run / 2, run % 2, subjects))
                .mapToObj(all::get);
    }

    private static boolean isChosen(int subject, int mode, int subjects) {
        return subject % subjects == 0 && subject / subjects % 2 == mode;
    }
}
