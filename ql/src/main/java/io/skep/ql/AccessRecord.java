package io.skep.ql;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the compilation of one statement has found out about its access: the kind of the statement and what it needs.
 * The audit log has it, whether the statement is allowed or not. It is incomplete when the compilation has failed.
 * Temporary tables of the session are not in it. Thread-safe.
 */
public final class AccessRecord {
    @GuardedBy("this")
    private Optional<String> operation = Optional.empty();

    @GuardedBy("this")
    private List<Need> declared = List.of();

    @GuardedBy("this")
    private final List<Need> reads = new ArrayList<>();

    /**
     * Privileges that the statement needs on an object, all of them.
     *
     * @param type of the object in Hive, such as TABLE_OR_VIEW
     * @param columns on which they suffice; any of its columns if the list is empty; absent when they are needed on the
     *     whole object
     * @param action how the object is written, such as INSERT_OVERWRITE
     * @param privileges by their words in Hive's errors
     */
    public record Need(
            String type,
            String name,
            Optional<List<String>> columns,
            Optional<String> action,
            List<String> privileges) {
        public Need {
            columns = columns.map(List::copyOf);
            privileges = List.copyOf(privileges);
        }
    }

    /** Replaces what was declared before, but no read. */
    public synchronized void declare(String kind, List<Need> needs) {
        operation = Optional.of(kind);
        declared = List.copyOf(needs);
    }

    public synchronized void addRead(Need need) {
        reads.add(need);
    }

    /** Returns the name of the statement's kind in Hive; empty when the compilation has failed before it was known. */
    public synchronized Optional<String> operation() {
        return operation;
    }

    /** Returns what the statement needs. An object may be there several times. */
    public synchronized List<Need> needs() {
        List<Need> all = new ArrayList<>(declared);
        all.addAll(reads);
        return all;
    }

    /** Forgets everything, which is not needed while the statement runs. */
    public synchronized void clear() {
        operation = Optional.empty();
        declared = List.of();
        reads.clear();
    }
}
