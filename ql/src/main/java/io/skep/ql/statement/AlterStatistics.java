package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.statement.AlterTableHandler.Alteration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** UPDATE STATISTICS FOR COLUMN name SET ('numDVs' = '...', ...): statistics by hand. */
final class AlterStatistics {
    private AlterStatistics() {}

    static Runnable update(Alteration alteration) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        String name = Texts.identifier(alteration.clause().child(0));
        FieldSchema column = table.columns().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.COLUMN_NOT_FOUND,
                                "column '" + name + "' is not in " + table.qualifiedName())
                        .at(alteration.clause().position()));
        Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.putAll(Texts.properties(alteration.clause().child(1)));
        ColumnStatistics statistics;
        try {
            statistics = statistics(column, given);
        } catch (NumberFormatException e) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "not a number among " + given, e)
                    .at(alteration.clause().position());
        }
        if (alteration.partition().isEmpty()) {
            return () -> context.catalog()
                    .putTableStatistics(
                            table,
                            List.of(completed(statistics, context.catalog().tableStatistics(table, List.of(name)))));
        }
        List<String> values = PartitionSpec.of(table, alteration.partition().get(), context)
                .partition(context)
                .values();
        String partition = PartitionName.of(table, values);
        return () -> {
            List<ColumnStatistics> before = context.catalog()
                    .partitionStatistics(table, List.of(partition), List.of(name))
                    .getOrDefault(partition, List.of());
            context.catalog().putPartitionStatistics(table, Map.of(partition, List.of(completed(statistics, before))));
        };
    }

    /** With the bounds and the sketch that were there, where none are given. */
    private static ColumnStatistics completed(ColumnStatistics given, List<ColumnStatistics> before) {
        if (before.isEmpty()) {
            return given;
        }
        ColumnStatistics known = before.getFirst();
        return new ColumnStatistics(
                given.column(),
                given.nullCount(),
                given.distinctValues(),
                given.low().or(known::low),
                given.high().or(known::high),
                given.averageLength(),
                given.maxLength(),
                given.trueCount(),
                given.falseCount(),
                known.sketch(),
                known.histogram());
    }

    private static ColumnStatistics statistics(FieldSchema column, Map<String, String> given) {
        return new ColumnStatistics(
                column.name(),
                number(given.get("numNulls"), 0),
                number(given.get("numDVs"), -1),
                bound(given.get("lowValue"), column.type()),
                bound(given.get("highValue"), column.type()),
                given.containsKey("avgColLen") ? Double.parseDouble(given.getOrDefault("avgColLen", "-1")) : -1,
                number(given.get("maxColLen"), -1),
                number(given.get("numTrues"), -1),
                number(given.get("numFalses"), -1));
    }

    private static long number(@Nullable String text, long otherwise) {
        return text == null ? otherwise : Long.parseLong(text);
    }

    private static Optional<Datum> bound(@Nullable String text, SqlType type) {
        if (text == null) {
            return Optional.empty();
        }
        if (type == PrimitiveType.DOUBLE || type == PrimitiveType.FLOAT) {
            return Optional.of(new Datum.OfDouble(Double.parseDouble(text)));
        }
        if (type == PrimitiveType.TINYINT
                || type == PrimitiveType.SMALLINT
                || type == PrimitiveType.INT
                || type == PrimitiveType.BIGINT) {
            return Optional.of(new Datum.OfLong(Long.parseLong(text)));
        }
        throw new SkepException(
                StandardErrorCode.NOT_SUPPORTED,
                "setting bounds of columns of type " + type.displayName() + " is not supported yet");
    }
}
