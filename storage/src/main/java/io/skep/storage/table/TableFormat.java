package io.skep.storage.table;

import java.util.Map;

/**
 * How rows are laid out in files, in the metastore's terms. It contains the class names of Hive's input format, output
 * format and SerDe. It also contains the properties that these need (delimiters, null format, header lines,
 * compression), as {@code FormatProperties} selects them. It never contains statistics, because it is part of the key
 * of cached file data.
 */
public record TableFormat(String inputFormat, String outputFormat, String serde, Map<String, String> properties) {
    public TableFormat {
        properties = Map.copyOf(properties);
    }
}
