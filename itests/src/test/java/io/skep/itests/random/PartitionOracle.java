package io.skep.itests.random;

import io.skep.itests.random.Expression.Call;
import io.skep.itests.random.Query.Select;
import io.skep.itests.random.Verdict.Unknown;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that the rows for which a condition is true, false and unknown are together all rows (Rigger and Su, "Finding
 * Bugs in Database Systems via Query Partitioning", 2020). Queries with windows are excluded, because the windows would
 * contain other rows. The condition is that of WHERE, or of HAVING if there is one.
 */
record PartitionOracle(Engine skep) implements Oracle {
    @Override
    public Verdict judge(Query query) {
        if (!(query instanceof Select select)
                || select.items().stream().anyMatch(Expression.Window.class::isInstance)) {
            return new Unknown("no condition");
        }
        if (select.having().isPresent()) {
            return parts(
                    select.withHaving(Optional.empty()),
                    partitions(select.having().get())
                            .map(third -> select.withHaving(Optional.of(third)))
                            .toList());
        }
        if (select.where().isEmpty() || select.grouping().isPresent()) {
            return new Unknown("no condition");
        }
        return parts(
                select.withWhere(Optional.empty()),
                partitions(select.where().get())
                        .map(third -> select.withWhere(Optional.of(third)))
                        .toList());
    }

    private Verdict parts(Select all, List<Select> parts) {
        return all.distinct()
                ? Oracle.compare(() -> union(parts).distinct(), Oracle.of(skep, all), false)
                : Oracle.compare(() -> union(parts), Oracle.of(skep, all), false);
    }

    private Rows union(List<Select> parts) throws SQLException {
        Rows rows = new Rows(List.of());
        for (Select part : parts) {
            rows = rows.and(Oracle.of(skep, part).get());
        }
        return rows;
    }

    /** Returns the condition, its negation, and the condition that its value is unknown. */
    static Stream<Expression> partitions(Expression condition) {
        return Stream.of(
                condition, new Call(Forms.NOT, List.of(condition)), new Call(Forms.IS_NULL, List.of(condition)));
    }

    @Override
    public String toString() {
        return "partition";
    }
}
