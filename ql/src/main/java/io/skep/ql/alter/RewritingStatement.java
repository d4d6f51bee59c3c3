package io.skep.ql.alter;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.parse.HiveSqlParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The text of an INSERT OVERWRITE of a table or of one partition with its own rows. */
final class RewritingStatement {
    private RewritingStatement() {}

    /** @param emptied the names of columns that are null afterwards */
    static String of(Table table, Optional<Partition> partition, Set<String> emptied) {
        String name = HiveSqlParser.quoted(table.database(), table.name());
        String columns = table.columns().stream()
                .map(FieldSchema::name)
                .map(column -> emptied.contains(column)
                        ? "if(false, " + HiveSqlParser.quoted(column) + ", null)"
                        : HiveSqlParser.quoted(column))
                .collect(Collectors.joining(", "));
        List<String> values = new ArrayList<>();
        for (int i = 0; partition.isPresent() && i < table.partitionKeys().size(); i++) {
            FieldSchema key = table.partitionKeys().get(i);
            String value = partition.get().values().get(i);
            values.add(HiveSqlParser.quoted(key.name()) + " = " + HiveSqlParser.literal(value));
        }
        String target = values.isEmpty() ? "" : " partition (" + String.join(", ", values) + ")";
        String condition = values.isEmpty() ? "" : " where " + String.join(" and ", values);
        return "insert overwrite table " + name + target + " select " + columns + " from " + name + condition;
    }
}
