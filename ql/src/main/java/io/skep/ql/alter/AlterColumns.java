package io.skep.ql.alter;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.BasicStatistics;
import io.skep.metastore.Catalog;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.analyze.TypeSyntax;
import io.skep.ql.create.SchemaColumns;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableDefinition;
import io.skep.ql.statement.TableStore;
import io.skep.storage.serde.SerdeColumns;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Adds, replaces and changes columns of a table, with CASCADE also of its partitions, or of one partition. */
final class AlterColumns {
    private AlterColumns() {}

    static Runnable add(Alteration alteration) {
        ColumnTypeChanges.checkAvro(alteration);
        List<FieldSchema> added = TableDefinition.columns(alteration.clause().child(0));
        return apply(alteration, columns -> {
            List<FieldSchema> all = new ArrayList<>(columns);
            all.addAll(added);
            return all;
        });
    }

    static Runnable replace(Alteration alteration) {
        List<FieldSchema> columns = TableDefinition.columns(alteration.clause().child(0));
        return apply(alteration, before -> {
            ColumnTypeChanges.checkReplace(before, columns, alteration);
            return columns;
        });
    }

    /** DROP COLUMN of Hive 4.2. The clause's children: [if exists], name, [cascade]. */
    static Runnable drop(Alteration alteration) {
        SyntaxNode clause = alteration.clause();
        SyntaxNode name = clause.first(HiveParser.Identifier).orElseThrow();
        String dropped = SyntaxText.identifier(name);
        AlterSkew.refuseChange(alteration.table(), dropped, clause);
        ColumnTypeChanges.checkDrop(alteration);
        boolean exists = alteration.table().storage().columns().stream()
                .anyMatch(column -> column.name().equals(dropped));
        if (!exists && !clause.has(HiveParser.TOK_IFEXISTS)) {
            ErrorMsg error = ErrorMsg.INVALID_COLUMN_NAME;
            throw CompileErrors.namedTask(
                            name.position(), StandardErrorCode.COLUMN_NOT_FOUND, error, error.getMsg() + " " + dropped)
                    .withHint("columns are " + String.join(", ", names(alteration.table())));
        }
        return exists
                ? apply(
                        alteration,
                        before -> before.stream()
                                .filter(column -> !column.name().equals(dropped))
                                .toList())
                : () -> {};
    }

    private static List<String> names(Table table) {
        return table.storage().columns().stream().map(FieldSchema::name).toList();
    }

    /** UPDATE COLUMNS takes over the columns that the SerDe lists, such as those of a changed schema of Avro. */
    static Runnable ofSerde(Alteration alteration) {
        Table table = alteration.table();
        TableFormat format = table.storage().format();
        if (SerdeColumns.areOfMetastore(format)) {
            throw CompileErrors.task(
                    alteration.clause().position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    table.name() + " has serde " + format.serde() + " for which schema is already handled by HMS.");
        }
        List<FieldSchema> listed = SchemaColumns.listed(table.storage(), table.properties());
        return apply(alteration, before -> listed);
    }

    /** The clause's children: old name, new name, type, [comment], [first | after], [cascade]. */
    static Runnable change(Alteration alteration) {
        SyntaxNode clause = alteration.clause();
        String old = SyntaxText.identifier(clause.child(0));
        String name = SyntaxText.identifier(clause.child(1));
        Optional<String> comment = clause.children().stream()
                .skip(3)
                .filter(child -> child.is(HiveParser.StringLiteral))
                .map(SyntaxText::string)
                .findFirst();
        SqlType type = TypeSyntax.of(clause.child(2));
        boolean moves = isFirst(clause) || clause.has(HiveParser.TOK_ALTERTABLE_CHANGECOL_AFTER_POSITION);
        AlterSkew.refuseChange(alteration.table(), old, clause);
        ColumnTypeChanges.checkAvro(alteration);
        ColumnTypeChanges.checkOrder(moves, alteration);
        Runnable change = apply(alteration, columns -> {
            int index = indexOf(columns, old, clause);
            FieldSchema before = columns.get(index);
            FieldSchema after = new FieldSchema(name, type, comment.or(before::comment));
            List<FieldSchema> all = new ArrayList<>(columns);
            all.remove(index);
            all.add(place(all, index, clause), after);
            return all;
        });
        Runnable constraints = AlterConstraints.ofColumn(alteration, new FieldSchema(name, type, comment));
        return () -> {
            change.run();
            constraints.run();
        };
    }

    private static int place(List<FieldSchema> others, int before, SyntaxNode clause) {
        Optional<SyntaxNode> after = clause.first(HiveParser.TOK_ALTERTABLE_CHANGECOL_AFTER_POSITION);
        if (after.isPresent()) {
            return indexOf(others, SyntaxText.identifier(after.get().child(0)), clause) + 1;
        }
        return isFirst(clause) ? 0 : before;
    }

    private static boolean isFirst(SyntaxNode clause) {
        return clause.children().stream().skip(3).anyMatch(child -> child.text().equalsIgnoreCase("first"));
    }

    private static int indexOf(List<FieldSchema> columns, String name, SyntaxNode where) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        throw CompileErrors.namedTask(
                        where.position(),
                        StandardErrorCode.COLUMN_NOT_FOUND,
                        ErrorMsg.INVALID_COLUMN,
                        ErrorMsg.INVALID_COLUMN.getMsg() + " " + name)
                .withHint("columns are "
                        + String.join(
                                ", ", columns.stream().map(FieldSchema::name).toList()));
    }

    /** Computes the new columns from the old ones. */
    @FunctionalInterface
    private interface Columns {
        List<FieldSchema> of(List<FieldSchema> before);
    }

    private static Runnable apply(Alteration alteration, Columns columns) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        if (alteration.partition().isPresent()) {
            List<Partition> changed =
                    PartitionSpec.of(table, alteration.partition().get(), context).found(context).stream()
                            .map(partition -> Revision.storage(partition, with(partition.storage(), columns, table)))
                            .toList();
            return () -> context.catalog().alterPartitions(table, changed);
        }
        boolean cascade = alteration.clause().has(HiveParser.TOK_CASCADE);
        Table changed = Revision.storage(table, with(table.storage(), columns, table));
        AlterPolicies.requireColumns(
                alteration, table.storage().columns(), changed.storage().columns());
        ColumnTypeChanges.checkParquet(changed, alteration);
        ColumnTypeChanges.check(table.storage().columns(), changed.storage().columns(), alteration);
        Table counted =
                Revision.properties(changed, stillExact(table.properties(), table.columns(), changed.columns()));
        return () -> {
            TableStore.replace(table, counted, cascade, context);
            if (cascade && !table.partitionKeys().isEmpty()) {
                forget(context.catalog(), table, changed);
            }
        };
    }

    /**
     * Updates the partitions' properties after the table's columns have changed. Only columns that keep their position,
     * name and type keep exact statistics.
     */
    private static void forget(Catalog catalog, Table before, Table after) {
        List<Partition> changed = new ArrayList<>();
        for (Partition partition : catalog.partitions(before, values -> true)) {
            Map<String, String> properties = stillExact(partition.properties(), before.columns(), after.columns());
            if (!properties.equals(partition.properties())) {
                changed.add(Revision.properties(partition, properties));
            }
        }
        if (!changed.isEmpty()) {
            catalog.alterPartitions(after, changed);
        }
    }

    /**
     * Returns the properties with exact statistics only for the columns that keep their position and type. A moved or
     * retyped column has other values, so queries are not answered from its statistics.
     */
    private static Map<String, String> stillExact(
            Map<String, String> properties, List<FieldSchema> before, List<FieldSchema> after) {
        BasicStatistics stats = BasicStatistics.of(properties);
        Set<String> kept = new HashSet<>();
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            if (before.get(i).name().equals(after.get(i).name())
                    && before.get(i).type().equals(after.get(i).type())) {
                kept.add(before.get(i).name());
            }
        }
        if (kept.containsAll(stats.exactColumns())) {
            return properties;
        }
        kept.retainAll(stats.exactColumns());
        return stats.withoutExactColumns().withExactColumns(kept).mergeInto(properties);
    }

    private static StorageDescriptor with(StorageDescriptor storage, Columns columns, Table table) {
        List<FieldSchema> changed = columns.of(storage.columns());
        Set<String> names = new HashSet<>();
        table.partitionKeys().forEach(key -> names.add(key.name()));
        for (FieldSchema column : changed) {
            if (!names.add(column.name())) {
                throw CompileErrors.namedTask(
                        StandardErrorCode.COLUMN_EXISTS,
                        ErrorMsg.DUPLICATE_COLUMN_NAMES,
                        ErrorMsg.DUPLICATE_COLUMN_NAMES.getMsg() + " " + column.name());
            }
        }
        return Revision.columns(storage, changed);
    }

    /** The change for PARTITION COLUMN (name type). */
    static Runnable partitionColumn(Alteration alteration) {
        SyntaxNode column = alteration.clause().child(0);
        Table table = alteration.table();
        FieldSchema key = PartitionSpec.key(
                table,
                column.child(0),
                ErrorMsg.INVALID_COLUMN,
                ErrorMsg.INVALID_COLUMN.getMsg() + " " + SyntaxText.identifier(column.child(0)));
        FieldSchema after = new FieldSchema(key.name(), TypeSyntax.of(column.child(1)), key.comment());
        List<FieldSchema> keys = table.partitionKeys().stream()
                .map(each -> each.equals(key) ? after : each)
                .toList();
        AlterPolicies.requireColumns(alteration, table.partitionKeys(), keys);
        requireConvertible(alteration, Revision.partitionKeys(table, keys), keys.indexOf(after));
        return () -> TableStore.replace(table, Revision.partitionKeys(table, keys), false, alteration.context());
    }

    /** Requires that the values of all partitions have the new type. */
    private static void requireConvertible(Alteration alteration, Table changed, int key) {
        StatementContext context = alteration.context();
        List<Partition> partitions = context.catalog().partitions(alteration.table(), values -> true);
        List<List<Datum>> values = context.pruner(changed).values(changed, partitions);
        for (int i = 0; i < partitions.size(); i++) {
            String text = partitions.get(i).values().get(key);
            if (values.get(i).get(key).isNull() && !text.equals(PartitionName.DEFAULT_PARTITION)) {
                String type = changed.partitionKeys().get(key).type().displayName();
                throw CompileErrors.task(
                        alteration.clause().position(),
                        StandardErrorCode.INVALID_PARTITION,
                        ErrorMsg.GENERIC_ERROR,
                        "Exception while converting string to " + type + " for partition value : " + text);
            }
        }
    }
}
