package io.skep.ql.physical;

import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.core.Aggregate;

/** Aggregates of a query, each with the one row that it gives. Owned by the planning of one query. */
public final class Answers {
    public static final Answers NONE = new Answers(Map.of(), List.of());

    private final Map<Aggregate, List<Datum>> rows;
    private final List<String> tables;

    /**
     * @param rows by the aggregate itself
     * @param tables what they are answered of
     */
    Answers(Map<Aggregate, List<Datum>> rows, List<String> tables) {
        this.rows = Map.copyOf(rows);
        this.tables = List.copyOf(tables);
    }

    Optional<List<Datum>> of(Aggregate aggregate) {
        return Optional.ofNullable(rows.get(aggregate));
    }

    /** The tables that are not read. */
    List<String> tables() {
        return tables;
    }
}
