package io.skep.ql.physical;

import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.core.Aggregate;

/**
 * The aggregates of a query that are answered without execution, each with the only row that it returns. Owned by the
 * planning of one query.
 */
public final class Answers {
    public static final Answers NONE = new Answers(Map.of(), List.of());

    private final Map<Aggregate, List<Datum>> rows;
    private final List<String> tables;

    /**
     * @param rows the result rows, by the aggregate itself
     * @param tables the tables whose statistics supply the answers
     */
    Answers(Map<Aggregate, List<Datum>> rows, List<String> tables) {
        this.rows = Map.copyOf(rows);
        this.tables = List.copyOf(tables);
    }

    Optional<List<Datum>> of(Aggregate aggregate) {
        return Optional.ofNullable(rows.get(aggregate));
    }

    /** Returns the tables that are not read. */
    List<String> tables() {
        return tables;
    }
}
