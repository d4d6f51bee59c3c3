package io.skep.ql.show;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.ColumnStatisticsMerge;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statistics.StatisticsProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** The output of DESCRIBE for one column: its type and its statistics. */
final class ColumnDescription {
    private static final String COMMENT = "from deserializer";

    private final Table table;
    private final Optional<Partition> partition;
    private final String shown;
    private final FieldSchema column;
    private final StatementContext context;

    /** @throws SkepException COLUMN_NOT_FOUND */
    ColumnDescription(Table table, Optional<Partition> partition, SyntaxNode name, StatementContext context) {
        this.table = table;
        this.partition = partition;
        this.shown = name.text().replace("`", "");
        this.context = context;
        this.column = find(table, name);
    }

    private static FieldSchema find(Table table, SyntaxNode node) {
        String name = SyntaxText.identifier(node);
        List<FieldSchema> columns = new ArrayList<>(table.columns());
        columns.addAll(table.partitionKeys());
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> notFound(node, columns));
    }

    private static SkepException notFound(SyntaxNode node, List<FieldSchema> columns) {
        List<String> names = columns.stream().map(FieldSchema::name).toList();
        List<String> near = DidYouMean.of(node.text(), names);
        return CompileErrors.task(
                        node.position(),
                        StandardErrorCode.COLUMN_NOT_FOUND,
                        ErrorMsg.GENERIC_ERROR,
                        "cannot find field " + node.text() + " from " + positions(names))
                .withHint(
                        near.isEmpty()
                                ? "columns are " + String.join(", ", names)
                                : "did you mean " + String.join(", ", near) + "?");
    }

    /** Returns the columns with their positions, as Hive's object inspectors list fields. */
    private static String positions(List<String> names) {
        return IntStream.range(0, names.size())
                .mapToObj(i -> i + ":" + names.get(i))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    /** Returns the column as DESCRIBE names it. */
    FieldSchema schema() {
        return new FieldSchema(shown, column.type(), Optional.of(COMMENT));
    }

    /** Returns the column, or the fields of a struct; with EXTENDED also which statistics exist. */
    List<List<Optional<String>>> lines(boolean extended) {
        DescribedRows rows = new DescribedRows();
        parts().forEach(part -> rows.add(part.name(), part.type().displayName(), COMMENT));
        List<List<Optional<String>>> lines = new ArrayList<>(rows.rows());
        if (extended) {
            accurate()
                    .ifPresent(text -> lines.add(
                            List.of(Optional.of(StatisticsProperties.ACCURATE), Optional.of(text), Optional.empty())));
        }
        return lines;
    }

    private List<FieldSchema> parts() {
        return switch (column.type()) {
            case StructType struct ->
                struct.fields().stream()
                        .map(field -> new FieldSchema(field.name(), field.type(), Optional.empty()))
                        .toList();
            case ArrayType array -> List.of(new FieldSchema("$elem$", array.element(), Optional.empty()));
            case MapType map ->
                List.of(
                        new FieldSchema("$key$", map.key(), Optional.empty()),
                        new FieldSchema("$value$", map.value(), Optional.empty()));
            default -> List.of(new FieldSchema(shown, column.type(), Optional.empty()));
        };
    }

    /**
     * Returns which statistics are exact. For an unpartitioned table this is the table's property; for a partitioned
     * one, the column is exact if each partition has statistics of it.
     */
    private Optional<String> accurate() {
        if (partition.isPresent()) {
            return Optional.empty();
        }
        if (table.partitionKeys().isEmpty()) {
            return Optional.ofNullable(table.properties().get(StatisticsProperties.ACCURATE))
                    .map(text -> text.replace("\"", "\\\""));
        }
        boolean exact = isKey()
                || context.catalog().partitionNames(table).size()
                        == partitionStatistics().size();
        return Optional.of(exact ? "{\\\"COLUMN_STATS\\\":{\\\"" + column.name() + "\\\":\\\"true\\\"}}" : "{}");
    }

    private boolean isKey() {
        return table.partitionKeys().contains(column);
    }

    /** Returns name and value of each property: type, statistics, comment. */
    List<List<Optional<String>>> properties() {
        Optional<ColumnStatistics> statistics = statistics();
        List<List<Optional<String>>> rows = new ArrayList<>();
        SqlType type = column.type();
        add(rows, "col_name", shown);
        add(rows, "data_type", type.displayName());
        boolean logical = type == PrimitiveType.BOOLEAN;
        boolean sized = StatisticsText.hasLength(type);
        boolean ranged = !logical && !sized;
        add(
                rows,
                "min",
                ranged
                        ? statistics
                                .map(s -> StatisticsText.bound(s.low(), type))
                                .orElse("")
                        : "");
        add(
                rows,
                "max",
                ranged
                        ? statistics
                                .map(s -> StatisticsText.bound(s.high(), type))
                                .orElse("")
                        : "");
        add(rows, "num_nulls", statistics.map(s -> count(s.nullCount())).orElse(""));
        add(
                rows,
                "distinct_count",
                logical ? "" : statistics.map(s -> count(s.distinctValues())).orElse(""));
        add(
                rows,
                "avg_col_len",
                sized ? statistics.map(s -> Double.toString(s.averageLength())).orElse("") : "");
        add(
                rows,
                "max_col_len",
                sized ? statistics.map(s -> count(s.maxLength())).orElse("") : "");
        add(
                rows,
                "num_trues",
                logical ? statistics.map(s -> count(s.trueCount())).orElse("") : "");
        add(
                rows,
                "num_falses",
                logical ? statistics.map(s -> count(s.falseCount())).orElse("") : "");
        boolean sketched = context.settings().getBoolean("hive.stats.fetch.bitvector")
                && statistics.flatMap(ColumnStatistics::sketch).isPresent();
        add(rows, "bit_vector", sketched ? "HL" : "");
        add(rows, "comment", COMMENT);
        accurate().ifPresent(text -> add(rows, StatisticsProperties.ACCURATE, text));
        return rows;
    }

    private static String count(long number) {
        return number < 0 ? "" : Long.toString(number);
    }

    private static void add(List<List<Optional<String>>> rows, String name, String value) {
        rows.add(List.of(Optional.of(name), Optional.of(value)));
    }

    private Optional<ColumnStatistics> statistics() {
        if (ShownPolicies.hide(table, column.name(), context)) {
            return Optional.empty();
        }
        List<String> names = List.of(column.name());
        if (partition.isPresent()) {
            String name = PartitionName.of(table, partition.get().values());
            return context
                    .catalog()
                    .partitionStatistics(table, List.of(name), names)
                    .getOrDefault(name, List.of())
                    .stream()
                    .findFirst();
        }
        if (table.partitionKeys().isEmpty()) {
            return context.catalog().tableStatistics(table, names).stream().findFirst();
        }
        if (isKey()) {
            return Optional.of(
                    new KeyStatistics(table, column).of(context.catalog().partitions(table, values -> true)));
        }
        List<ColumnStatistics> parts = partitionStatistics();
        return parts.isEmpty() ? Optional.empty() : Optional.of(ColumnStatisticsMerge.merge(parts));
    }

    private List<ColumnStatistics> partitionStatistics() {
        return context
                .catalog()
                .partitionStatistics(table, context.catalog().partitionNames(table), List.of(column.name()))
                .values()
                .stream()
                .flatMap(List::stream)
                .toList();
    }
}
