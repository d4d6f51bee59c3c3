package io.skep.itests.sql;

import io.skep.common.testing.Sampling;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Selects the runs of subjects in two modes that are part of each test run, where all of them would take too long. */
public final class ChosenRuns {
    private ChosenRuns() {}

    /**
     * Keeps one of every {@code subjects} subjects, with alternating modes.
     *
     * @param runs each subject in one mode and then in the other
     * @param place the system property that keeps all runs if it is {@code all}, as {@link Sampling} does everywhere
     */
    public static <T> Stream<T> of(Stream<T> runs, int subjects, String place) {
        if (Sampling.isOff() || System.getProperty(place, "").equals("all")) {
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
