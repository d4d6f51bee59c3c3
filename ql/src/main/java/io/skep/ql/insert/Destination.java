package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.handler.VersionedTables;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.PartitionValues;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.common.FileUtils;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The table that an INSERT writes to, or a folder, described as a table without a name.
 *
 * @param staticValues values of partition columns that the statement gives, in the order of the partition keys
 * @param dynamicColumns partition columns whose values come from the query
 * @param columns the columns that the statement lists; empty for all
 * @param rewritten whether the statement rewrites the existing rows, so that replaced partitions keep their format
 * @param replacesAll whether the rows replace those of all partitions, also of partitions that get no rows
 * @param owner the table whose files are those of the folder
 */
public record Destination(
        Table table,
        boolean overwrite,
        Map<String, String> staticValues,
        List<String> dynamicColumns,
        List<String> columns,
        SyntaxNode syntax,
        boolean rewritten,
        boolean replacesAll,
        Optional<Table> owner) {
    public Destination {
        syntax = syntax.withoutStatementText();
    }

    public Destination(
            Table table,
            boolean overwrite,
            Map<String, String> staticValues,
            List<String> dynamicColumns,
            List<String> columns,
            SyntaxNode syntax) {
        this(table, overwrite, staticValues, dynamicColumns, columns, syntax, false, false, Optional.empty());
    }

    /**
     * Returns the destination of a directory.
     *
     * @param folder describes it as a table without a name
     */
    static Destination ofFolder(Table folder, Optional<Table> owner, SyntaxNode syntax) {
        return new Destination(folder, true, Map.of(), List.of(), List.of(), syntax, false, false, owner);
    }

    /** Returns this destination for a statement that rewrites its existing rows. */
    Destination asRewrite() {
        return new Destination(table, overwrite, staticValues, dynamicColumns, columns, syntax, true, false, owner);
    }

    /** Returns the destination of all rows of a materialized view. */
    static Destination ofView(Table view, boolean overwrite, SyntaxNode syntax) {
        List<String> keys = view.partitionKeys().stream().map(FieldSchema::name).toList();
        return new Destination(view, overwrite, Map.of(), keys, List.of(), syntax, false, overwrite, Optional.empty());
    }

    /** Whether a written partition gets the table's format, as with Hive's INSERT OVERWRITE. */
    boolean takesTablesFormat() {
        return overwrite && !rewritten;
    }

    /** @param node TOK_DESTINATION or TOK_INSERT_INTO with TOK_TAB */
    static Destination of(SyntaxNode node, StatementContext context) {
        SyntaxNode target = node.child(0);
        Table table = context.queriedTable(target.child(0));
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW || table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            throw CompileErrors.plain(target.position(), StandardErrorCode.NOT_A_TABLE, ErrorMsg.DML_AGAINST_VIEW);
        }
        if (table.kind() == Table.TableKind.EXTERNAL_TABLE
                && !context.settings().getBoolean("hive.insert.into.external.tables")) {
            throw CompileErrors.plain(
                    target.position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.INSERT_EXTERNAL_TABLE,
                    ErrorMsg.INSERT_EXTERNAL_TABLE.getMsg() + " " + table.name());
        }
        HandlerRules.refuse(table, "INSERT", target.position());
        VersionedTables.refuse(table);
        Map<String, Optional<SyntaxNode>> given = partition(target);
        List<String> keys =
                table.partitionKeys().stream().map(FieldSchema::name).toList();
        for (String name : given.keySet()) {
            if (!keys.contains(name)) {
                throw PartitionSpec.notOfPartitions(
                        table, target.first(HiveParser.TOK_PARTSPEC).orElse(target));
            }
        }
        requireAll(table, given.keySet(), target);
        Map<String, String> staticValues = new LinkedHashMap<>();
        List<String> dynamic = new ArrayList<>();
        for (FieldSchema key : table.partitionKeys()) {
            Optional<SyntaxNode> value = given.getOrDefault(key.name(), Optional.empty());
            if (value.isPresent() && !dynamic.isEmpty()) {
                throw CompileErrors.at(
                        value.get(), StandardErrorCode.INVALID_PARTITION, ErrorMsg.PARTITION_DYN_STA_ORDER);
            }
            if (value.isPresent()) {
                staticValues.put(key.name(), PartitionValues.of(value.get(), key, context));
            } else {
                dynamic.add(key.name());
            }
        }
        if (staticValues.containsValue("")) {
            throw PartitionSpec.emptyValue(target);
        }
        if (!dynamic.isEmpty()) {
            DynamicPartitions.check(target, !staticValues.isEmpty(), context);
        }
        List<String> columns = node.first(HiveParser.TOK_TABCOLNAME)
                .map(list ->
                        list.children().stream().map(SyntaxText::identifier).toList())
                .orElse(List.of());
        return new Destination(table, node.is(HiveParser.TOK_DESTINATION), staticValues, dynamic, columns, node);
    }

    /**
     * Requires that a PARTITION clause names all partition columns, as in Hive.
     *
     * @param named the columns that the clause names; empty without the clause
     */
    static void requireAll(Table table, Set<String> named, SyntaxNode target) {
        if (named.isEmpty() || named.size() >= table.partitionKeys().size()) {
            return;
        }
        SyntaxNode last =
                target.first(HiveParser.TOK_PARTSPEC).orElse(target).children().getLast();
        throw last.childCount() > 1
                ? CompileErrors.at(last, StandardErrorCode.PARTITION_NOT_FOUND, ErrorMsg.INVALID_PARTITION)
                : CompileErrors.at(last, StandardErrorCode.INVALID_PARTITION, ErrorMsg.PARTITION_DYN_STA_ORDER);
    }

    /** Whether the destination is a folder, which may be that of an {@link #owner()}. */
    boolean isDirectory() {
        return table.name().isEmpty();
    }

    /** Returns the table whose rows change. Empty for a folder that belongs to none. */
    Optional<Table> changed() {
        return isDirectory() ? owner : Optional.of(table);
    }

    private static Map<String, Optional<SyntaxNode>> partition(SyntaxNode target) {
        Map<String, Optional<SyntaxNode>> values = new LinkedHashMap<>();
        target.first(HiveParser.TOK_PARTSPEC)
                .ifPresent(spec -> spec.children()
                        .forEach(value -> values.put(
                                SyntaxText.identifier(value.child(0)),
                                value.childCount() > 1 ? Optional.of(value.child(1)) : Optional.empty())));
        return values;
    }

    /** Returns the static part as {@code k=v/k=v}, escaped as in Hive. */
    String staticPath() {
        return staticValues.entrySet().stream()
                .map(entry ->
                        FileUtils.escapePathName(entry.getKey()) + "=" + FileUtils.escapePathName(entry.getValue()))
                .collect(Collectors.joining("/"));
    }

    /**
     * As in Hive, one statement cannot write twice to a table without partitions, or to a partition that it names.
     * Partitions of dynamic columns are known only later; if two destinations write to the same one, it gets the rows
     * of both. A partition of a transactional table has one base for a write id, so only one destination may replace
     * its rows.
     *
     * @throws SkepException OUTPUT_SPECIFIED_MULTIPLE_TIMES
     */
    static void refuseRepeated(List<Destination> destinations) {
        Set<String> outputs = new HashSet<>();
        for (Destination destination : destinations) {
            if (destination.changed().isEmpty() || !destination.dynamicColumns.isEmpty()) {
                if (destinations.stream().filter(destination::replacesSame).count() > 1) {
                    throw repeated(destination, "");
                }
                continue;
            }
            String path = destination.staticPath();
            String partition = path.isEmpty() ? "" : "@" + path;
            String changed = destination.changed().orElseThrow().qualifiedName();
            if (!outputs.add(changed + partition)) {
                throw repeated(destination, partition);
            }
        }
    }

    /** Whether both, which may be the same, replace rows of one transactional table. */
    private boolean replacesSame(Destination other) {
        return overwrite
                && other.overwrite
                && table.isTransactional()
                && table.qualifiedName().equals(other.table.qualifiedName());
    }

    private static SkepException repeated(Destination destination, String partition) {
        return CompileErrors.plain(
                        destination.syntax.position(),
                        StandardErrorCode.OUTPUT_SPECIFIED_MULTIPLE_TIMES,
                        ErrorMsg.OUTPUT_SPECIFIED_MULTIPLE_TIMES,
                        ErrorMsg.OUTPUT_SPECIFIED_MULTIPLE_TIMES.getMsg() + " " + destination.table.name() + partition)
                .withHint("write its rows with one UNION ALL, or with two statements");
    }

    /** Returns the columns that the query must provide: data columns, then dynamic partition columns. */
    List<FieldSchema> wanted() {
        List<FieldSchema> wanted = new ArrayList<>(TableLayouts.fields(table.storage()));
        table.partitionKeys().stream()
                .filter(key -> dynamicColumns.contains(key.name()))
                .forEach(wanted::add);
        return wanted;
    }
}
