package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.PartitionPruner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** PARTITION (k = v, ...) of a statement, resolved against a table's partition columns. */
public final class PartitionSpec {
    private final Table table;
    private final SyntaxNode node;
    private final Map<String, Optional<String>> values = new LinkedHashMap<>();

    /** @param node TOK_PARTSPEC */
    private PartitionSpec(Table table, SyntaxNode node, StatementContext context) {
        this.table = table;
        this.node = node;
        for (SyntaxNode value : node.children()) {
            String name = SyntaxText.identifier(value.child(0));
            FieldSchema key = key(table, name, node);
            Optional<String> text = value.childCount() > 1
                    ? Optional.of(PartitionValues.of(value.child(value.childCount() - 1), key, context))
                    : Optional.empty();
            values.put(name, text);
        }
    }

    /** @throws SkepException INVALID_PARTITION for a name that is not a partition column */
    public static PartitionSpec of(Table table, SyntaxNode node, StatementContext context) {
        return new PartitionSpec(table, node, context);
    }

    private static FieldSchema key(Table table, String name, SyntaxNode spec) {
        return find(table, name).orElseThrow(() -> notOfPartitions(table, spec));
    }

    private static Optional<FieldSchema> find(Table table, String name) {
        return table.partitionKeys().stream()
                .filter(key -> key.name().equals(name))
                .findFirst();
    }

    /** Returns the partition column that a clause names, which is no PARTITION clause. */
    public static FieldSchema key(Table table, SyntaxNode name, ErrorMsg error, String words) {
        return find(table, SyntaxText.identifier(name))
                .orElseThrow(() -> withKeys(
                        table,
                        CompileErrors.plain(name.position(), StandardErrorCode.INVALID_PARTITION, error, words)));
    }

    /**
     * Returns the error of a PARTITION clause with other columns than the table's partition columns.
     *
     * @param spec TOK_PARTSPEC
     */
    public static SkepException notOfPartitions(Table table, SyntaxNode spec) {
        String given = given(spec);
        String words = table.partitionKeys().isEmpty()
                ? table.qualifiedName() + " table is not partitioned but partition spec exists: " + given
                : table.qualifiedName() + ": Partition spec " + given + " contains non-partition columns";
        return withKeys(
                table,
                CompileErrors.plain(
                        spec.position(), StandardErrorCode.INVALID_PARTITION, ErrorMsg.GENERIC_ERROR, words));
    }

    private static SkepException withKeys(Table table, SkepException error) {
        List<String> keys =
                table.partitionKeys().stream().map(FieldSchema::name).toList();
        return keys.isEmpty() ? error : error.withHint("partition columns are " + String.join(", ", keys));
    }

    private static String given(SyntaxNode spec) {
        List<String> parts = new ArrayList<>();
        for (SyntaxNode part : spec.children()) {
            SyntaxNode value = part.children().getLast();
            String text = value.is(HiveParser.StringLiteral) ? SyntaxText.string(value) : value.source();
            parts.add(SyntaxText.identifier(part.child(0)) + "="
                    + (part.childCount() > 1 ? CompileErrors.shown(text) : "null"));
        }
        return "{" + String.join(", ", parts) + "}";
    }

    /** Returns the values of the partition that a TOK_TAB names for new rows; empty for a table without partitions. */
    public static Optional<List<String>> complete(Table table, SyntaxNode target, StatementContext context) {
        Optional<SyntaxNode> spec = target.first(HiveParser.TOK_PARTSPEC);
        if (spec.isEmpty() && table.partitionKeys().isEmpty()) {
            return Optional.empty();
        }
        if (spec.isEmpty()) {
            throw withKeys(
                    table,
                    CompileErrors.plain(
                            target.position(), StandardErrorCode.INVALID_PARTITION, ErrorMsg.NEED_PARTITION_ERROR));
        }
        List<String> values = of(table, spec.get(), context).complete();
        if (values.contains("")) {
            throw emptyValue(target);
        }
        return Optional.of(values);
    }

    /** Returns the values of the columns that have one, in the order of the clause. */
    public Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        values.forEach((name, value) -> value.ifPresent(text -> given.put(name, text)));
        return given;
    }

    /** @throws SkepException INVALID_PARTITION unless all columns have values */
    public List<String> complete() {
        List<String> all = new ArrayList<>();
        for (FieldSchema key : table.partitionKeys()) {
            all.add(values.getOrDefault(key.name(), Optional.empty())
                    .orElseThrow(() -> CompileErrors.plain(
                            node.position(),
                            StandardErrorCode.INVALID_PARTITION,
                            ErrorMsg.GENERIC_ERROR,
                            table.qualifiedName() + ": partition spec " + shown() + " doesn't contain all ("
                                    + table.partitionKeys().size() + ") partition columns")));
        }
        return all;
    }

    /**
     * Returns the values of a partition that the statement makes. None is an empty text, which no path can have.
     *
     * @param words Hive's words for an empty value, with %s for the column
     * @throws SkepException INVALID_PARTITION
     */
    public List<String> completeNew(String words) {
        List<String> all = complete();
        int empty = all.indexOf("");
        if (empty >= 0) {
            throw CompileErrors.plain(
                    node.position(),
                    StandardErrorCode.INVALID_PARTITION,
                    ErrorMsg.GENERIC_ERROR,
                    words.formatted(table.partitionKeys().get(empty).name()));
        }
        return all;
    }

    /**
     * Returns the error of an empty text among the values of a partition that rows are written to, which is Hive's.
     *
     * @param target TOK_TAB
     */
    public static SkepException emptyValue(SyntaxNode target) {
        SyntaxNode last =
                target.first(HiveParser.TOK_PARTSPEC).orElse(target).children().getLast();
        return CompileErrors.at(last, StandardErrorCode.INVALID_PARTITION, ErrorMsg.INVALID_PARTITION)
                .withHint("an empty text has no folder; as a value of the query it becomes NULL");
    }

    /** @throws SkepException PARTITION_NOT_FOUND when no partition has these values */
    public List<Partition> found(StatementContext context) {
        List<Partition> partitions = partitions(context);
        if (partitions.isEmpty()) {
            throw notFound();
        }
        return partitions;
    }

    private SkepException notFound() {
        return CompileErrors.plain(
                node.position(),
                StandardErrorCode.PARTITION_NOT_FOUND,
                ErrorMsg.INVALID_PARTITION,
                ErrorMsg.INVALID_PARTITION.getMsg() + " " + shown());
    }

    public boolean isComplete() {
        return table.partitionKeys().stream()
                .allMatch(
                        key -> values.getOrDefault(key.name(), Optional.empty()).isPresent());
    }

    /** Whether all columns that the spec names have values. */
    public boolean isStatic() {
        return values.values().stream().allMatch(Optional::isPresent);
    }

    /** Whether no column without a value comes before one that has a value. */
    public boolean isPrefix() {
        boolean ended = false;
        for (FieldSchema key : table.partitionKeys()) {
            boolean isPresent =
                    values.getOrDefault(key.name(), Optional.empty()).isPresent();
            if (isPresent && ended) {
                return false;
            }
            ended |= !isPresent;
        }
        return true;
    }

    /** Whether the spec matches a partition with these values. Columns without a value match all. */
    public boolean matches(List<String> partition) {
        for (int i = 0; i < partition.size(); i++) {
            Optional<String> wanted =
                    values.getOrDefault(table.partitionKeys().get(i).name(), Optional.empty());
            if (wanted.isPresent() && !wanted.get().equals(partition.get(i))) {
                return false;
            }
        }
        return true;
    }

    public List<Partition> partitions(StatementContext context) {
        return context.catalog().partitions(table, this::matches);
    }

    /** @throws SkepException PARTITION_NOT_FOUND */
    public Partition partition(StatementContext context) {
        return context.catalog().partition(table, complete()).orElseThrow(this::notFound);
    }

    /** Returns the spec as a condition in SQL; empty when all partitions match. */
    public String condition() {
        List<String> parts = new ArrayList<>();
        for (FieldSchema key : table.partitionKeys()) {
            values.getOrDefault(key.name(), Optional.empty())
                    .ifPresent(text -> parts.add(
                            PartitionPruner.isNull(text, key.type())
                                    ? HiveSqlParser.quoted(key.name()) + " is null"
                                    : HiveSqlParser.quoted(key.name()) + " = cast(" + HiveSqlParser.literal(text)
                                            + " as " + key.type().displayName() + ")"));
        }
        return String.join(" and ", parts);
    }

    public String shown() {
        List<String> parts = new ArrayList<>();
        values.forEach((name, value) -> parts.add(name + "=" + value.orElse("")));
        return "{" + String.join(", ", parts) + "}";
    }
}
