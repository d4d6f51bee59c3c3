package io.skep.storage.table;

/** How a table format is read and written: by a native reader and writer, or through its SerDe. */
public enum FileKind {
    ORC,
    PARQUET,
    TEXT,
    SERDE;

    public static FileKind of(TableFormat format) {
        String serde = format.serde();
        if (serde.endsWith(".OrcSerde") || format.inputFormat().endsWith(".OrcInputFormat")) {
            return ORC;
        }
        if (serde.endsWith(".ParquetHiveSerDe") || format.inputFormat().endsWith(".MapredParquetInputFormat")) {
            return PARQUET;
        }
        boolean lazySimple = serde.equals("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe");
        return lazySimple && textInput(format) ? TEXT : SERDE;
    }

    /** Whether files contain column names, so that a table's columns are found by name. */
    public boolean selfDescribing() {
        return this == ORC || this == PARQUET;
    }

    /** Whether rows of a format are lines of text files. */
    public static boolean textInput(TableFormat format) {
        return format.inputFormat().equals("org.apache.hadoop.mapred.TextInputFormat");
    }
}
