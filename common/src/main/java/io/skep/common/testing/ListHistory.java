package io.skep.common.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Changes and reads of a table of lists by many clients, judged by snapshot isolation afterwards.
 * docs/testing/snapshot-isolation.md says what is checked, and why that suffices. Thread-safe.
 */
public final class ListHistory {
    private final List<Ended> changes = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    /** What a client knows of a change. */
    public enum Outcome {
        COMMITTED,
        FAILED,
        /** The connection was lost. */
        UNKNOWN
    }

    /** A row of the table. */
    public record Row(int key, String value) {}

    /** Times are of {@link System#nanoTime}. */
    private record Ended(ListChange change, Outcome outcome, long start, long end) {}

    /**
     * @param lists the numbers that each list has, by key
     * @param rows the keys of the other rows
     */
    private record Read(Map<Integer, List<Integer>> lists, Set<Integer> rows, long start, long end) {
        int length() {
            return lists.values().stream().mapToInt(List::size).sum();
        }

        boolean sees(ListChange change) {
            return lists.values().stream().anyMatch(list -> list.contains(change.number()));
        }
    }

    /** @param start the time before the statement was sent */
    public synchronized void changed(ListChange change, Outcome outcome, long start) {
        changes.add(new Ended(change, outcome, start, System.nanoTime()));
    }

    /**
     * @param table all rows
     * @param start the time before the query was sent
     */
    public synchronized void read(List<Row> table, long start) {
        long end = System.nanoTime();
        Map<Integer, List<Integer>> lists = new TreeMap<>();
        Set<Integer> rows = new HashSet<>();
        for (Row row : table) {
            boolean isNew = row.key() < ListChange.FIRST_ROW
                    ? lists.put(row.key(), numbers(row.value())) == null
                    : rows.add(row.key());
            if (!isNew) {
                violations.add("key " + row.key() + " is twice in " + table);
            }
        }
        reads.add(new Read(lists, rows, start, end));
    }

    private static List<Integer> numbers(String value) {
        return value.isBlank()
                ? List.of()
                : List.of(value.strip().split(" ")).stream()
                        .map(Integer::valueOf)
                        .toList();
    }

    /** Returns how many changes have committed, as their clients know. */
    public synchronized long committed() {
        return changes.stream()
                .filter(change -> change.outcome() == Outcome.COMMITTED)
                .count();
    }

    public synchronized int reads() {
        return reads.size();
    }

    public synchronized int changes() {
        return changes.size();
    }

    /** Returns what is wrong with the history so far; empty if nothing is. */
    public synchronized List<String> violations() {
        List<String> found = new ArrayList<>(violations);
        List<Read> chain = new ArrayList<>(reads);
        chain.sort(Comparator.comparingInt(Read::length));
        for (int i = 1; i < chain.size(); i++) {
            checkOrder(chain.get(i - 1), chain.get(i), found);
        }
        chain.forEach(read -> checkContents(read, found));
        return found;
    }

    /** Each list of the shorter read is the beginning of the same list of the longer one. */
    private static void checkOrder(Read before, Read after, List<String> found) {
        before.lists().forEach((key, list) -> {
            List<Integer> longer = after.lists().getOrDefault(key, List.of());
            if (!longer.subList(0, Math.min(list.size(), longer.size())).equals(list)) {
                found.add("the list of " + key + " is " + list + " in one read and " + longer + " in another");
            }
        });
    }

    private void checkContents(Read read, List<String> found) {
        if (read.lists().size() != ListChange.LISTS) {
            found.add("a read has the lists of " + read.lists().keySet());
        }
        read.lists().forEach((key, list) -> {
            if (new HashSet<>(list).size() < list.size()) {
                found.add("the list of " + key + " has a number twice: " + list);
            }
        });
        Set<Integer> rows = new HashSet<>();
        Set<Integer> gone = new HashSet<>();
        for (Ended ended : changes) {
            ListChange change = ended.change();
            boolean isSeen = read.sees(change);
            if (isSeen) {
                rows.add(change.added());
                gone.add(change.removed());
            }
            for (int key : change.lists()) {
                if (read.lists().getOrDefault(key, List.of()).contains(change.number()) != isSeen) {
                    found.add(ended + " is in a part of its lists");
                }
            }
            if (isSeen && (ended.outcome() == Outcome.FAILED || ended.start() > read.end())) {
                found.add(ended + " is in a read that ended at " + read.end());
            }
            if (!isSeen && ended.outcome() == Outcome.COMMITTED && ended.end() < read.start()) {
                found.add(ended + " is not in a read that began at " + read.start());
            }
        }
        rows.removeAll(gone);
        rows.remove(0);
        if (!rows.equals(read.rows())) {
            found.add("a read has the rows " + read.rows() + " instead of " + rows);
        }
    }
}
