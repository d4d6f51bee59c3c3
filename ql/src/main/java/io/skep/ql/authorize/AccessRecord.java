package io.skep.ql.authorize;

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
    private List<AccessNeed> declared = List.of();

    @GuardedBy("this")
    private final List<AccessNeed> reads = new ArrayList<>();

    /** Replaces what was declared before, but no read. */
    synchronized void declare(String kind, List<AccessNeed> needs) {
        operation = Optional.of(kind);
        declared = List.copyOf(needs);
    }

    synchronized void addRead(AccessNeed need) {
        reads.add(need);
    }

    /** Returns the name of the statement's kind in Hive; empty when the compilation has failed before it was known. */
    public synchronized Optional<String> operation() {
        return operation;
    }

    /** Returns what the statement needs. An object may be there several times. */
    public synchronized List<AccessNeed> needs() {
        List<AccessNeed> all = new ArrayList<>(declared);
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
