package io.skep.storage.parquet;

import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.format.ColumnarFileFormat;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.format.InputFormats;
import io.skep.storage.format.StoredAs;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Parquet files. */
public final class ParquetFileFormat implements ColumnarFileFormat {
    /** Whether timestamps are written as INT64 instead of INT96. */
    public static final String INT64_TIMESTAMPS = "hive.parquet.write.int64.timestamp";

    /** The unit of timestamps that are written as INT64: nanos, micros (the default) or millis. */
    public static final String TIMESTAMP_UNIT = "hive.parquet.timestamp.time.unit";

    /** What a session says of the files that it writes. Writers find it among the properties of the layout. */
    public static final Set<String> SESSION_SETTINGS = Set.of(INT64_TIMESTAMPS, TIMESTAMP_UNIT);

    private static final StoredAs STORED_AS = new StoredAs(
            "parquet",
            List.of("parquetfile"),
            HiveClasses.of(
                    "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
                    "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
                    "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"));

    @Override
    public Optional<StoredAs> storedAs() {
        return Optional.of(STORED_AS);
    }

    @Override
    public boolean matches(TableFormat format) {
        return InputFormats.isPlain(format.inputFormat())
                && (format.serde().endsWith(".ParquetHiveSerDe")
                        || format.inputFormat().endsWith(".MapredParquetInputFormat"));
    }

    @Override
    public Optional<String> magic() {
        return Optional.of("PAR1");
    }

    @Override
    public boolean checkedOnLoad(String inputFormat) {
        return inputFormat.toLowerCase(Locale.ROOT).contains("parquetinputformat");
    }

    @Override
    public List<String> readerSettings() {
        return List.of(FileZones.PROLEPTIC_DATES);
    }

    @Override
    public List<String> writerProperties() {
        return List.of("parquet.");
    }

    @Override
    public RowGroupReader open(HadoopFileSystem files, ZoneId zone, Split split, BlockStore blocks) {
        return new ParquetRowGroupReader(files, split, zone);
    }

    @Override
    public PageSink create(HadoopFileSystem files, ZoneId zone, TableLayout table, String path) {
        return new ParquetPageSink(files, table, path);
    }

    @Override
    public long firstBytes(int columns) {
        return ParquetPageSink.firstBytes(columns);
    }
}
