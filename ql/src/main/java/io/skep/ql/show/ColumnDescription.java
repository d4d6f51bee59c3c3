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
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The output of DESCRIBE for one column: its type and its statistics. */
final class ColumnDescription {
    private static final String COMMENT = "from deserializer";

    private final Table table;
    private final Optional<Partition> partition;
    private final String shown;
    private final FieldSchema column;
    private final SqlType type;
    private final StatementContext context;

    /** @throws SkepException COLUMN_NOT_FOUND */
    ColumnDescription(Table table, Optional<Partition> partition, SyntaxNode name, StatementContext context) {
        this.table = table;
        this.partition = partition;
        List<SyntaxNode> path = path(name);
        this.shown = path.getLast().text().replace("`", "");
        this.context = context;
        this.column = find(table, path.getFirst());
        SqlType part = column.type();
        for (SyntaxNode step : path.subList(1, path.size())) {
            part = part(part, step);
        }
        this.type = part;
    }

    /** Returns the names of {@code column.field.$elem$} in their order. */
    private static List<SyntaxNode> path(SyntaxNode name) {
        List<SyntaxNode> path = new ArrayList<>();
        if (name.is(HiveParser.DOT)) {
            name.children().forEach(child -> path.addAll(path(child)));
        } else {
            path.add(name);
        }
        return path;
    }

    private static SqlType part(SqlType whole, SyntaxNode step) {
        String name = SyntaxText.identifier(step);
        return switch (whole) {
            case StructType struct ->
                struct.fields().stream()
                        .filter(field -> field.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> notFound(
                                step,
                                struct.fields().stream()
                                        .map(StructType.Field::name)
                                        .toList()))
                        .type();
            case ArrayType array when name.equals("$elem$") -> array.element();
            case MapType map when name.equals("$key$") -> map.key();
            case MapType map when name.equals("$value$") -> map.value();
            default ->
                throw CompileErrors.task(
                        step.position(),
                        StandardErrorCode.COLUMN_NOT_FOUND,
                        ErrorMsg.GENERIC_ERROR,
                        "Error in getting fields from serde.Unknown type for " + step.text());
        };
    }

    private static FieldSchema find(Table table, SyntaxNode node) {
        String name = SyntaxText.identifier(node);
        List<FieldSchema> columns = new ArrayList<>(table.columns());
        columns.addAll(table.partitionKeys());
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        notFound(node, columns.stream().map(FieldSchema::name).toList()));
    }

    private static SkepException notFound(SyntaxNode node, List<String> names) {
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
        return new FieldSchema(shown, type, Optional.of(COMMENT));
    }

    /**
     * Returns the column or the part of it that is named, or the fields of a struct; as in Hive, those of a table
     * without partitions also with the statistics that are exact.
     */
    List<List<Optional<String>>> lines() {
        DescribedRows rows = new DescribedRows();
        parts().forEach(part -> rows.add(part.name(), part.type().displayName(), COMMENT));
        List<List<Optional<String>>> lines = new ArrayList<>(rows.rows());
        if (table.partitionKeys().isEmpty()) {
            accurate()
                    .ifPresent(text -> lines.add(
                            List.of(Optional.of(StatisticsProperties.ACCURATE), Optional.of(text), Optional.empty())));
        }
        return lines;
    }

    private List<FieldSchema> parts() {
        return type instanceof StructType struct
                ? struct.fields().stream()
                        .map(field -> new FieldSchema(field.name(), field.type(), Optional.empty()))
                        .toList()
                : List.of(new FieldSchema(shown, type, Optional.empty()));
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
        add(rows, "comment", isKey() ? column.comment().orElse("") : COMMENT);
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
