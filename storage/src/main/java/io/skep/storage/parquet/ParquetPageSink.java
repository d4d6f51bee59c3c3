package io.skep.storage.parquet;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Vector;
import io.skep.storage.file.FileErrors;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Writes a Parquet file in Hive's layout, by the table's {@code parquet.*} properties. */
public final class ParquetPageSink implements PageSink {
    /** The memory of a column's writers in addition to their data. Measured on 10,000 columns of all kinds. */
    private static final long WRITER_BYTES = 20 << 10;

    /**
     * The maximum size, as written to the file, of the dictionaries of all columns in a file of many columns. Larger
     * dictionaries are abandoned.
     */
    private static final int DICTIONARY_BYTES = 16 << 20;

    private static final int MIN_DICTIONARY_BYTES = 1 << 10;

    /** The ratio of a dictionary's hash table on the heap to the dictionary in the file. */
    private static final int DICTIONARY_FACTOR = 10;

    private final HadoopFileSystem files;
    private final String path;
    private final Rows rows;
    private final ParquetWriter<Integer> writer;
    private long rowCount;

    public ParquetPageSink(HadoopFileSystem files, TableLayout table, String path) {
        this.files = files;
        this.path = path;
        Map<String, String> properties = new HashMap<>(table.format().properties());
        properties.putAll(table.properties());
        this.rows = new Rows(table.dataColumns(), TimestampUnits.of(table.properties()));
        try {
            Builder builder = new Builder(new ParquetOutput(files, path), rows)
                    .withConf(new Configuration(files.configuration()))
                    .withCompressionCodec(codec(properties.getOrDefault("parquet.compression", "UNCOMPRESSED")));
            int columns = table.dataColumns().size();
            if (columns > BatchRows.MANY_COLUMNS) {
                builder.withDictionaryPageSize(Math.max(MIN_DICTIONARY_BYTES, DICTIONARY_BYTES / columns));
            }
            properties.forEach((name, value) -> configure(builder, name, value));
            this.writer = builder.build();
        } catch (IOException e) {
            throw FileErrors.of("cannot create", path, e);
        }
    }

    private static CompressionCodecName codec(String name) {
        try {
            return CompressionCodecName.valueOf(name.toUpperCase(Locale.ROOT).replace("NONE", "UNCOMPRESSED"));
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "parquet.compression '" + name + "' is not known",
                            e)
                    .withHint("use uncompressed, snappy, gzip, zstd or lz4_raw");
        }
    }

    private static void configure(Builder builder, String name, String value) {
        switch (name) {
            case "parquet.block.size" -> builder.withRowGroupSize(number(name, value));
            case "parquet.page.size" -> builder.withPageSize((int) number(name, value));
            case "parquet.page.row.count.limit" -> builder.withPageRowCountLimit((int) number(name, value));
            case "parquet.dictionary.page.size" -> builder.withDictionaryPageSize((int) number(name, value));
            case "parquet.enable.dictionary" -> builder.withDictionaryEncoding(Boolean.parseBoolean(value));
            case "parquet.bloom.filter.enabled" -> builder.withBloomFilterEnabled(Boolean.parseBoolean(value));
            default -> {
                if (name.startsWith("parquet.bloom.filter.enabled#")) {
                    builder.withBloomFilterEnabled(name.substring(name.indexOf('#') + 1), Boolean.parseBoolean(value));
                }
            }
        }
    }

    private static long number(String name, String text) {
        try {
            long number = Long.parseLong(text.strip());
            if (number > 0 && number <= Integer.MAX_VALUE) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, name + " is '" + text + "', not a number", e);
        }
        throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, name + " " + text + " is out of range");
    }

    /** Returns the heap that a file uses with its first rows. */
    public static long firstBytes(int columns) {
        return columns <= BatchRows.MANY_COLUMNS ? 0 : columns * WRITER_BYTES;
    }

    @Override
    public void append(Batch batch) {
        rows.current = batch.columns().stream().map(Vector::flatten).toList();
        try {
            for (int row = 0; row < batch.rowCount(); row++) {
                writer.write(row);
            }
        } catch (IOException e) {
            throw FileErrors.of("cannot write", path, e);
        }
        rowCount += batch.rowCount();
    }

    @Override
    public long bufferedBytes() {
        long data = writer.getDataSize();
        int columns = rows.columns.size();
        return columns <= BatchRows.MANY_COLUMNS
                ? data
                : firstBytes(columns) + data + (DICTIONARY_FACTOR - 1) * Math.min(data, DICTIONARY_BYTES);
    }

    @Override
    public WrittenFile finish() {
        try {
            writer.close();
        } catch (IOException | RuntimeException e) {
            files.delete(path);
            throw e instanceof IOException io ? FileErrors.of("cannot write", path, io) : (RuntimeException) e;
        }
        return new WrittenFile(path, rowCount, files.status(path).version().length());
    }

    @Override
    public void abort() {
        try {
            writer.close();
        } catch (IOException | RuntimeException e) {
            // The file is discarded, so bytes that were not written do not matter.
        } finally {
            files.delete(path);
        }
    }

    private static final class Builder extends ParquetWriter.Builder<Integer, Builder> {
        private final Rows rows;

        private Builder(ParquetOutput file, Rows rows) {
            super(file);
            this.rows = rows;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // still abstract in the library
        protected WriteSupport<Integer> getWriteSupport(Configuration configuration) {
            return rows;
        }
    }

    /** A record is a row number in the current vectors. */
    private static final class Rows extends WriteSupport<Integer> {
        private final List<Column> columns;
        private final Optional<TimestampUnits> timestamps;
        private final List<ValueWriter> writers;
        private List<Vector> current = List.of();
        private @Nullable RecordConsumer consumer;

        private Rows(List<Column> columns, Optional<TimestampUnits> timestamps) {
            this.columns = columns;
            this.timestamps = timestamps;
            this.writers = columns.stream()
                    .map(column -> ValueWriter.of(column.type(), timestamps))
                    .toList();
        }

        @Override
        @SuppressWarnings("deprecation") // still abstract in the library
        public WriteContext init(Configuration configuration) {
            Map<String, String> notes = Map.of(
                    "writer.model.name", "skep",
                    "writer.time.zone", "UTC",
                    "writer.zone.conversion.legacy", "false",
                    "writer.date.proleptic", "true");
            return new WriteContext(ParquetTypes.message(columns, timestamps), notes);
        }

        @Override
        public void prepareForWrite(RecordConsumer recordConsumer) {
            consumer = recordConsumer;
        }

        @Override
        public void write(Integer row) {
            RecordConsumer out = Objects.requireNonNull(consumer, "not prepared");
            out.startMessage();
            for (int i = 0; i < writers.size(); i++) {
                ValueWriter.field(columns.get(i).name(), i, writers.get(i), current.get(i), row, out);
            }
            out.endMessage();
        }
    }
}
