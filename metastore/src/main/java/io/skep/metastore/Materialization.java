package io.skep.metastore;

import java.util.List;
import java.util.Optional;

/**
 * How a materialized view was filled, in the form in which Hive stores it.
 *
 * @param sources the tables that the view's query reads, as {@code database.table}, sorted
 * @param writeIds the write ids whose rows the view contains, of all transactional sources, as Hive's
 *     {@code ValidTxnWriteIdList} writes them; empty when no source is transactional, or
 *     the rows are not known
 * @param millis when the view was filled, in milliseconds since 1970; the catalog sets it when it stores the view
 * @param rewriting whether queries may be answered from the view
 */
public record Materialization(List<String> sources, Optional<String> writeIds, long millis, boolean rewriting) {
    public Materialization {
        sources = List.copyOf(sources);
    }

    /** Returns the same with other permission to answer queries. */
    public Materialization withRewriting(boolean wanted) {
        return new Materialization(sources, writeIds, millis, wanted);
    }

    /** Returns the same without knowledge of the rows that the view contains. */
    public Materialization withoutWriteIds() {
        return new Materialization(sources, Optional.empty(), millis, rewriting);
    }
}
