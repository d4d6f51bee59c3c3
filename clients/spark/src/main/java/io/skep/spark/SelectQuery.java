package io.skep.spark;

import java.util.List;
import java.util.OptionalInt;

/**
 * A query whose rows Spark reads.
 *
 * @param outputs the texts of its columns; empty when only the number of rows counts
 * @param predicates that each row fulfills
 * @param groups the quoted columns to group by
 */
record SelectQuery(
        Source source, List<String> outputs, List<String> predicates, List<String> groups, OptionalInt limit) {
    SelectQuery {
        outputs = List.copyOf(outputs);
        predicates = List.copyOf(predicates);
        groups = List.copyOf(groups);
    }

    String sql() {
        StringBuilder sql = new StringBuilder("SELECT ")
                .append(outputs.isEmpty() ? "true AS `skep_row`" : String.join(", ", outputs))
                .append(" FROM ")
                .append(source.from());
        if (!predicates.isEmpty()) {
            sql.append(" WHERE ").append(String.join(" AND ", predicates));
        }
        if (!groups.isEmpty()) {
            sql.append(" GROUP BY ").append(String.join(", ", groups));
        }
        limit.ifPresent(count -> sql.append(" LIMIT ").append(count));
        return sql.toString();
    }
}
