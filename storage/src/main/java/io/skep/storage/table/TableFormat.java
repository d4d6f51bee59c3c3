package io.skep.storage.table;

import java.util.Map;

/**
 * How rows are laid out in files, in the terms that the metastore keeps: class names of Hive's input format, output format
 * and SerDe, and the SerDe's properties (delimiters, null format, header lines, compression).
 */
public record TableFormat(String inputFormat, String outputFormat, String serde, Map<String, String> properties) {
    public TableFormat {
        properties = Map.copyOf(properties);
    }
}
