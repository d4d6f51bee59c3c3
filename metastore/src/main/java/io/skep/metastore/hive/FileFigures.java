package io.skep.metastore.hive;

import java.util.List;
import java.util.Map;

/** The number and size of files in the parameters of a table or partition. */
final class FileFigures {
    private static final String FILES = "numFiles";
    private static final String BYTES = "totalSize";

    static final List<String> PROPERTIES = List.of(FILES, BYTES);

    private FileFigures() {}

    static void put(Map<String, String> parameters, WarehouseFiles.Figures figures) {
        parameters.put(FILES, Long.toString(figures.files()));
        parameters.put(BYTES, Long.toString(figures.bytes()));
    }
}
