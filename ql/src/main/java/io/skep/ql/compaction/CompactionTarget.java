package io.skep.ql.compaction;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.CompactionJob;
import io.skep.ql.physical.TableLayouts;
import io.skep.storage.compaction.CompactedPlace;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The table or partition of a job, as the catalog describes it.
 *
 * @param partition absent for a table without partitions
 */
record CompactionTarget(Table table, Optional<Partition> partition) {
    /** How the names of a request's properties begin that change properties of the table. */
    private static final String OF_TABLE = "tblprops.";

    private static final List<String> CUTTING = List.of("skip.header.line.count", "skip.footer.line.count");

    /** Returns the target; empty if it has been dropped. */
    static Optional<CompactionTarget> find(Catalog catalog, CompactionJob job) {
        Optional<Table> found = catalog.table(job.database(), job.table());
        if (found.isEmpty() || job.partition().isEmpty()) {
            return found.map(table -> new CompactionTarget(table, Optional.empty()));
        }
        List<String> values = PartitionName.values(job.partition().get());
        Table table = found.get();
        return values.size() != table.partitionKeys().size()
                ? Optional.empty()
                : catalog.partition(table, values)
                        .map(partition -> new CompactionTarget(table, Optional.of(partition)));
    }

    StorageDescriptor storage() {
        return partition.map(Partition::storage).orElse(table.storage());
    }

    String location() {
        return storage().location();
    }

    /** Whether the target is a partitioned table, whose files are those of its partitions. */
    boolean isAllPartitions() {
        return partition.isEmpty() && !table.partitionKeys().isEmpty();
    }

    /** Returns why the target is not compacted, if it is not. */
    Optional<String> refusal() {
        if (!table.isTransactional()) {
            return Optional.of("Table " + table.qualifiedName() + " is not transactional");
        }
        if (isAllPartitions()) {
            return Optional.of("Table " + table.qualifiedName() + " has partitions, and none is named");
        }
        if (!storage().sortColumns().isEmpty()) {
            return Optional.of(
                    "Attempt to compact sorted table " + table.qualifiedName() + ", which is not yet supported!");
        }
        for (String property : CUTTING) {
            String count = property(property);
            if (!count.isEmpty() && !count.equals("0")) {
                return Optional.of("Files of " + table.qualifiedName() + " have lines that are no rows (" + property
                        + "), which a compaction would not write");
            }
        }
        return Optional.empty();
    }

    private String property(String name) {
        String ofStorage = storage().format().properties().get(name);
        return ofStorage == null ? table.properties().getOrDefault(name, "").strip() : ofStorage.strip();
    }

    /** Fails when the target is another one now, or is elsewhere, so that a lock on it says nothing. */
    void requireSame(CompactionTarget now) {
        if (now.table().id() != table.id() || !now.location().equals(location())) {
            throw new SkepException(
                            StandardErrorCode.TABLE_CHANGED,
                            "Table " + table.qualifiedName() + " was replaced or moved while its compaction began")
                    .withHint("request the compaction again");
        }
    }

    /** @param properties what the request changes of the table's properties */
    CompactedPlace place(Map<String, String> properties) {
        Map<String, String> changed = new HashMap<>(table.properties());
        properties.forEach((name, value) -> {
            if (name.startsWith(OF_TABLE)) {
                changed.put(name.substring(OF_TABLE.length()), value);
            }
        });
        Table written = table.withProperties(changed);
        TableLayout layout = TableLayouts.of(written);
        TableFormat format = TableLayouts.writeFormat(storage().format(), written);
        List<Column> columns =
                columns(layout.dataColumns(), TableLayouts.columns(storage().columns()));
        return new CompactedPlace(
                location(),
                new TableLayout(layout.name(), format, columns, List.of(), layout.properties()),
                TableLayouts.format(storage(), table),
                columns,
                table.isInsertOnly());
    }

    /**
     * Returns all columns that files may have. What was written after a column was added has it also in partitions that
     * do not know it. Columns of rows with ids are found by position, whatever they were called before.
     */
    private List<Column> columns(List<Column> ofTable, List<Column> ofPartition) {
        if (!table.isInsertOnly()) {
            return byPosition(ofTable, ofPartition);
        }
        return FileFormats.of(storage().format()).selfDescribing()
                ? byName(ofTable, ofPartition)
                : byPosition(ofPartition, ofTable);
    }

    private static List<Column> byPosition(List<Column> first, List<Column> longer) {
        List<Column> columns = new ArrayList<>(first);
        for (int i = columns.size(); i < longer.size(); i++) {
            columns.add(longer.get(i));
        }
        return columns;
    }

    /** Whether a property is true, whatever the case of its name, as in Hive. */
    static boolean isTrue(Map<String, String> properties, String name) {
        return properties.entrySet().stream()
                .anyMatch(property -> property.getKey().equalsIgnoreCase(name)
                        && property.getValue().equalsIgnoreCase("true"));
    }

    private static List<Column> byName(List<Column> ofTable, List<Column> ofPartition) {
        Map<String, Column> all = new LinkedHashMap<>();
        ofTable.forEach(column -> all.put(column.name(), column));
        ofPartition.forEach(column -> all.putIfAbsent(column.name(), column));
        return List.copyOf(all.values());
    }
}
