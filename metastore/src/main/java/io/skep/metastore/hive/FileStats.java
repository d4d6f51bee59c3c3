package io.skep.metastore.hive;

import java.util.List;
import java.util.Map;

/** The number and size of files in the parameters of a table or partition. */
final class FileStats {
    private static final String FILES = "numFiles";
    private static final String BYTES = "totalSize";

    static final List<String> PROPERTIES = List.of(FILES, BYTES);

    private FileStats() {}

    static void put(Map<String, String> parameters, WarehouseFiles.Figures stats) {
        parameters.put(FILES, Long.toString(stats.files()));
        parameters.put(BYTES, Long.toString(stats.bytes()));
    }
}
