package io.skep.ql.show;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.metastore.Table.TableKind;
import io.skep.ql.create.ConstraintText;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The statements that make tables and views again, without their rows, in the order and form of Hive's EXPLAIN DDL. */
public final class DefinitionScript {
    private final StatementContext context;
    private final List<String> lines = new ArrayList<>();

    private DefinitionScript(StatementContext context) {
        this.context = context;
    }

    /**
     * @param objects tables and views
     * @param partitions those of the partitions that are made again, by the name of their table
     * @throws SkepException NOT_SUPPORTED for tables of the system
     */
    public static String of(List<Table> objects, Map<String, List<Partition>> partitions, StatementContext context) {
        DefinitionScript script = new DefinitionScript(context);
        List<Table> tables = objects.stream()
                .filter(table -> table.kind() != TableKind.VIRTUAL_VIEW)
                .toList();
        TreeSet<String> databases = new TreeSet<>();
        objects.forEach(table -> databases.add(table.database()));
        databases.forEach(name -> script.add("CREATE DATABASE IF NOT EXISTS " + ConstraintText.quoted(name) + ";"));
        tables.forEach(script::addTable);
        tables.forEach(table -> script.add(alter(table) + counts(table.properties())));
        tables.forEach(table -> script.addPartitions(table, distinct(table, partitions)));
        tables.forEach(script::addConstraints);
        tables.forEach(table -> script.addColumns(table, distinct(table, partitions)));
        objects.stream()
                .filter(table -> table.kind() == TableKind.VIRTUAL_VIEW)
                .sorted(Comparator.comparingLong(Table::id))
                .forEach(view -> script.add(ShowCreateTableHandler.view(view, name(view)) + ";"));
        return String.join("\n", script.lines);
    }

    private static Map<String, Partition> distinct(Table table, Map<String, List<Partition>> partitions) {
        Map<String, Partition> named = new TreeMap<>();
        partitions
                .getOrDefault(table.qualifiedName(), List.of())
                .forEach(partition -> named.put(PartitionName.of(table, partition.values()), partition));
        return named;
    }

    private void add(String statement) {
        lines.add(statement);
    }

    private void addTable(Table table) {
        if (table.isSystem()) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED,
                    table.qualifiedName() + " belongs to the system: no statement creates it");
        }
        Table shown = ShownPolicies.of(table, context);
        add(ShowCreateTableHandler.table(shown, name(table), TableStore.isTemporary(table, context)) + ";");
        ShownPolicies.statements(shown).forEach(this::add);
    }

    private void addPartitions(Table table, Map<String, Partition> partitions) {
        for (Partition partition : partitions.values()) {
            add(alter(table) + " ADD IF NOT EXISTS " + specification(table, partition) + ";");
            add(alter(table) + " " + specification(table, partition) + counts(partition.properties()));
        }
    }

    private void addConstraints(Table table) {
        ConstraintText.statements(table, TableStore.constraints(table, context)).forEach(this::add);
    }

    private void addColumns(Table table, Map<String, Partition> partitions) {
        Map<String, FieldSchema> columns = new TreeMap<>();
        for (FieldSchema column : table.storage().columns()) {
            if (!ShownPolicies.hide(table, column.name(), context)) {
                columns.put(column.name(), column);
            }
        }
        List<String> names = List.copyOf(columns.keySet());
        if (table.partitionKeys().isEmpty()) {
            addColumns(table, "", columns, context.catalog().tableStatistics(table, names));
            return;
        }
        Map<String, List<ColumnStatistics>> known =
                context.catalog().partitionStatistics(table, List.copyOf(partitions.keySet()), names);
        partitions.forEach((name, partition) ->
                addColumns(table, " " + specification(table, partition), columns, known.getOrDefault(name, List.of())));
    }

    private void addColumns(
            Table table, String partition, Map<String, FieldSchema> columns, List<ColumnStatistics> known) {
        known.stream().sorted(Comparator.comparing(ColumnStatistics::column)).forEach(one -> {
            FieldSchema column = columns.get(one.column());
            if (column != null) {
                String quoted = ConstraintText.quoted(column.name());
                add(alter(table) + partition + " UPDATE STATISTICS FOR COLUMN " + quoted
                        + StatisticsText.pairs(one, column.type()));
                one.sketch()
                        .ifPresent(sketch -> add("-- BIT VECTORS PRESENT FOR " + qualified(table)
                                + partition.replaceAll("[()]", "") + " FOR COLUMN " + quoted
                                + " BUT THEY ARE NOT SUPPORTED YET. THE BASE64 VALUE FOR THE BITVECTOR IS "
                                + StatisticsText.base64(sketch) + " "));
            }
        });
    }

    private static String counts(Map<String, String> properties) {
        return " UPDATE STATISTICS SET('numRows'='" + properties.getOrDefault("numRows", "0") + "','rawDataSize'='"
                + properties.getOrDefault("rawDataSize", "0") + "' );";
    }

    private static String specification(Table table, Partition partition) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < partition.values().size(); i++) {
            FieldSchema key = table.partitionKeys().get(i);
            values.add(ConstraintText.quoted(key.name()) + "="
                    + ShowCreateTableHandler.quoted(partition.values().get(i)));
        }
        return "PARTITION (" + String.join(",", values) + ")";
    }

    /** The name as SHOW CREATE TABLE puts it between back-ticks. */
    private static String name(Table table) {
        return table.database() + "`.`" + table.name();
    }

    private static String qualified(Table table) {
        return "`" + name(table) + "`";
    }

    private static String alter(Table table) {
        return "ALTER TABLE " + qualified(table);
    }
}
