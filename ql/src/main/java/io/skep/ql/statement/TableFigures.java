package io.skep.ql.statement;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.storage.write.WrittenFile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Basic statistics of tables and partitions, kept as Hive keeps them: in their properties. */
final class TableFigures {
    static final String ROWS = "numRows";
    static final String FILES = "numFiles";
    static final String BYTES = "totalSize";
    static final String RAW_BYTES = "rawDataSize";
    static final String ACCURATE = "COLUMN_STATS_ACCURATE";

    private final StatementContext context;

    TableFigures(StatementContext context) {
        this.context = context;
    }

    void recordTable(Table table, List<WrittenFile> added, boolean replaced) {
        Map<String, String> properties =
                with(table.properties(), added, replaced, table.storage().location());
        Table changed = new Table(
                table.database(),
                table.name(),
                table.kind(),
                table.owner(),
                table.createTime(),
                table.lastAccessTime(),
                table.partitionKeys(),
                table.storage(),
                properties,
                table.viewOriginalText(),
                table.viewExpandedText());
        if (context.session()
                .temporaryTables()
                .get(table.database(), table.name())
                .isPresent()) {
            context.session().temporaryTables().put(changed);
        } else {
            context.catalog().alterTable(table.database(), table.name(), changed, false);
        }
    }

    Partition withFigures(Partition partition, List<WrittenFile> added, boolean replaced) {
        Map<String, String> properties = with(
                partition.properties(), added, replaced, partition.storage().location());
        return new Partition(
                partition.values(),
                partition.createTime(),
                partition.lastAccessTime(),
                partition.storage(),
                properties);
    }

    /** Rows are known only when those before were; files and bytes are counted where they are. */
    private Map<String, String> with(
            Map<String, String> before, List<WrittenFile> added, boolean replaced, String location) {
        Map<String, String> after = new TreeMap<>(before);
        long rows = added.stream().mapToLong(WrittenFile::rowCount).sum();
        List<TableFiles.TableFile> files = context.services().files().files(location);
        boolean known = replaced || files.size() == added.size() || before.containsKey(ROWS);
        after.put(FILES, Integer.toString(files.size()));
        after.put(
                BYTES,
                Long.toString(
                        files.stream().mapToLong(TableFiles.TableFile::length).sum()));
        if (known) {
            long earlier =
                    replaced || files.size() == added.size() ? 0 : Long.parseLong(before.getOrDefault(ROWS, "0"));
            after.put(ROWS, Long.toString(earlier + rows));
            after.put(ACCURATE, "{\"BASIC_STATS\":\"true\"}");
            after.putIfAbsent(RAW_BYTES, "0");
        } else {
            after.remove(ACCURATE);
        }
        return after;
    }
}
