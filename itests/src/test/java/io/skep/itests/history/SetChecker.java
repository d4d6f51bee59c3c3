package io.skep.itests.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges the history of a table to which rows are only added. Commits to one table are serial, so all reads must be
 * states of one growing sequence. Of two reads one contains the other, in the order of their times. A read contains
 * every write that was acknowledged before it, and none that was sent after it.
 */
final class SetChecker {
    /** @param rows the number of rows that the read found, by ID */
    record Read(Map<Long, Long> rows, Interval when) {
        Set<Long> ids() {
            return rows.keySet();
        }
    }

    private final long rowsPerWrite;
    private final Map<Long, WriteLog.Write> writes = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private SetChecker(long rowsPerWrite, List<WriteLog.Write> writes) {
        this.rowsPerWrite = rowsPerWrite;
        writes.forEach(write -> this.writes.put(write.value(), write));
    }

    /** Returns the violations in a history; empty if there are none. */
    static List<String> violations(long rowsPerWrite, List<WriteLog.Write> writes, List<Read> reads) {
        SetChecker checker = new SetChecker(rowsPerWrite, writes);
        reads.forEach(checker::checkAlone);
        checker.checkOrder(reads);
        return checker.violations;
    }

    private void checkAlone(Read read) {
        read.rows().forEach((id, count) -> {
            WriteLog.Write write = writes.get(id);
            if (count != rowsPerWrite) {
                report("torn: write " + id + " shows " + count + " of " + rowsPerWrite + " rows in " + read.when());
            }
            if (write == null) {
                report("phantom: " + id + " was never written and is in " + read.when());
            } else if (read.when().isBefore(write.when())) {
                report("early: write " + id + " of " + write.when() + " is in the earlier " + read.when());
            }
        });
        for (WriteLog.Write write : writes.values()) {
            if (write.when().isBefore(read.when()) && !read.ids().contains(write.value())) {
                report("lost: write " + write.value() + ", acknowledged in " + write.when() + ", is not in "
                        + read.when());
            }
        }
    }

    private void checkOrder(List<Read> reads) {
        List<Read> bySize = reads.stream()
                .sorted(Comparator.comparingInt(read -> read.ids().size()))
                .toList();
        for (int i = 1; i < bySize.size(); i++) {
            if (!bySize.get(i).ids().containsAll(bySize.get(i - 1).ids())) {
                report("no order: " + bySize.get(i - 1).when() + " and "
                        + bySize.get(i).when() + " each have rows that the other lacks");
            }
        }
        for (int i = 0; i < bySize.size(); i++) {
            Read smaller = bySize.get(i);
            for (Read larger : bySize.subList(i + 1, bySize.size())) {
                if (larger.ids().size() > smaller.ids().size() && larger.when().isBefore(smaller.when())) {
                    report("backwards: " + smaller.when() + " has fewer rows than the earlier " + larger.when());
                }
            }
        }
    }

    private void report(String violation) {
        violations.add(violation);
    }
}
