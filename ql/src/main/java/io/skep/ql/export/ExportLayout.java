package io.skep.ql.export;

import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where things are in the folder of an export: the definition in one file, the files of a table without partitions in
 * one folder, and those of a partition in the folder of its name.
 */
final class ExportLayout {
    static final String DEFINITION = "_metadata";

    private static final String DATA = "data";

    /** Properties that describe the files at one time, or are the matter of one server. */
    private static final Set<String> OWN = Set.of(
            "numRows",
            "numFiles",
            "numFilesErasureCoded",
            "totalSize",
            "rawDataSize",
            "COLUMN_STATS_ACCURATE",
            "transient_lastDdlTime",
            "EXTERNAL");

    private ExportLayout() {}

    static String folder(Table table, Partition partition) {
        return PartitionName.of(table, partition.values());
    }

    /** Returns the folder of a table without partitions. */
    static String folder() {
        return DATA;
    }

    /** Returns the properties that another table has too. */
    static Map<String, String> properties(Map<String, String> all) {
        Map<String, String> kept = new TreeMap<>(all);
        kept.keySet().removeIf(name -> OWN.contains(name) || name.startsWith("skep."));
        return kept;
    }
}
