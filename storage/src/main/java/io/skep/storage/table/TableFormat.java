package io.skep.storage.table;

import java.util.Map;

/**
 * How rows are laid out in files, in the terms that the metastore keeps: class names of Hive's input format, output
 * format and SerDe, and the properties that matter to them (delimiters, null format, header lines, compression), as
 * {@link FormatProperties} chooses them. Never statistics: what is cached of files is cached under it.
 */
public record TableFormat(String inputFormat, String outputFormat, String serde, Map<String, String> properties) {
    public TableFormat {
        properties = Map.copyOf(properties);
    }
}
