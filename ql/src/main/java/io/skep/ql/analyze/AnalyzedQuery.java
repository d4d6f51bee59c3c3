package io.skep.ql.analyze;

import io.skep.common.type.SqlType;
import io.skep.ql.ResultSchema.ResultColumn;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;

/**
 * A query with resolved names and types.
 *
 * @param rel the relation that computes its rows; fields by position, one for each column
 * @param columns names as a client sees them ({@code _c0}, {@code t.k}), types, comments
 * @param names names that the columns get in a table created from the query ({@code _c0}, {@code k})
 * @param inputs tables and views that it reads, as {@code database.name}
 */
public record AnalyzedQuery(RelNode rel, List<ResultColumn> columns, List<String> names, Set<String> inputs) {
    public AnalyzedQuery {
        columns = List.copyOf(columns);
        names = List.copyOf(names);
        inputs = Set.copyOf(inputs);
    }

    public List<SqlType> types() {
        return columns.stream().map(ResultColumn::type).toList();
    }
}
