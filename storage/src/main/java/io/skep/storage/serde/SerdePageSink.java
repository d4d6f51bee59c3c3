package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.storage.file.FileErrors;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.codec.OutputCompression;
import io.skep.storage.format.InputFormats;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.mapred.JobConf;

/** Writes a file row by row through a table's SerDe and output format. */
public final class SerdePageSink implements PageSink {
    private static final long BUFFER = 1 << 20;

    private final HadoopFileSystem files;
    private final Optional<OutputCompression> compression;
    private final String path;
    private final SerdeRows records;
    private final RecordWriter writer;
    private long rows;

    /** @param zone the time zone for texts of type timestamp with local time zone */
    public SerdePageSink(HadoopFileSystem files, TableLayout table, String path, ZoneId zone) {
        this.files = files;
        JobConf job = new JobConf(files.configuration());
        if (!InputFormats.isPlain(table.format().inputFormat())) {
            // A file that is added to such a table may change which of its rows count.
            SerdeClasses.inputFormat(table.format(), job);
        }
        this.compression = OutputCompression.of(table.properties(), job);
        this.path = RecordWriter.writesLines(table.format())
                ? path + compression.map(OutputCompression::extension).orElse("")
                : path;
        Properties properties = SerdeClasses.properties(table.format(), table.dataColumns());
        table.properties().forEach(properties::putIfAbsent);
        AbstractSerDe serde = SerdeClasses.serde(table.format(), properties, job);
        List<Column> written = table.dataColumns().stream()
                .map(column -> new Column(column.name(), AvroTypes.written(column.type(), table.format())))
                .toList();
        this.records = new SerdeRows(serde, written, zone);
        this.writer = RecordWriter.open(files, table.format(), this.path, serde, properties, job, compression);
    }

    @Override
    public void append(Batch batch) {
        records.start(batch);
        try {
            for (int row = 0; row < batch.rowCount(); row++) {
                writer.write(records.record(row));
                rows++;
            }
        } catch (SerDeException | RuntimeException e) {
            throw e instanceof SkepException skep
                    ? skep
                    : new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "a row cannot be written to " + path + ": " + e.getMessage(),
                            e);
        } catch (IOException e) {
            throw FileErrors.of("cannot write", path, e);
        } finally {
            records.finish();
        }
    }

    @Override
    public long bufferedBytes() {
        return BUFFER + compression.map(OutputCompression::retainedBytes).orElse(0L);
    }

    @Override
    public WrittenFile finish() {
        try {
            writer.close(false);
        } catch (IOException e) {
            files.delete(path);
            throw FileErrors.of("cannot write", path, e);
        }
        return new WrittenFile(path, rows, files.status(path).version().length());
    }

    @Override
    public void abort() {
        try {
            writer.close(true);
        } catch (IOException | RuntimeException e) {
            // The file is discarded, so bytes that were not written do not matter.
        } finally {
            files.delete(path);
        }
    }
}
