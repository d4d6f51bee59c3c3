package io.skep.metastore.hive;

import java.util.List;
import java.util.Map;

/** The figures that Hive keeps among a table's and a partition's parameters. */
final class BasicStatistics {
    static final String FILES = "numFiles";
    static final String BYTES = "totalSize";
    static final List<String> FILE_FIGURES = List.of(FILES, BYTES);

    private BasicStatistics() {}

    static void putFiles(Map<String, String> parameters, WarehouseFiles.Figures figures) {
        parameters.put(FILES, Long.toString(figures.files()));
        parameters.put(BYTES, Long.toString(figures.bytes()));
    }
}
