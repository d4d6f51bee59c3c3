package io.skep.itests.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The outcomes of the queries of all streams. Guarded by this object's monitor. */
final class StreamStats {
    private int right;
    private int rightElsewhere;
    private long slowestMillis;
    private final List<String> wrong = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

    synchronized void struck(Fault fault) {
        faults.merge(fault, 1, Integer::sum);
    }

    /** @param elsewhere whether the query was retried on another server after its own was lost */
    synchronized void right(boolean elsewhere, long millis) {
        right++;
        rightElsewhere += elsewhere ? 1 : 0;
        slowestMillis = Math.max(slowestMillis, millis);
    }

    synchronized void wrong(String what) {
        wrong.add(what);
    }

    synchronized void failed(String what) {
        failed.add(what);
    }

    synchronized int rightAnswers() {
        return right;
    }

    synchronized List<String> wrongAnswers() {
        return List.copyOf(wrong);
    }

    synchronized List<String> failures() {
        return List.copyOf(failed);
    }

    synchronized String summary() {
        int asked = right + wrong.size() + failed.size();
        return String.format(
                Locale.ROOT,
                "%d queries: %d right (%.2f percent), %d of them by another server after the own one"
                        + " was lost; %d wrong, %d failed; the slowest took %.1f s; faults %s",
                asked,
                right,
                asked == 0 ? 0 : 100.0 * right / asked,
                rightElsewhere,
                wrong.size(),
                failed.size(),
                slowestMillis / 1000.0,
                faults);
    }
}
