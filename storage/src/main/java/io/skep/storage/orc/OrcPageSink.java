package io.skep.storage.orc;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.NestedValues;
import io.skep.storage.file.FileErrors;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.io.IOException;
import java.util.Properties;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.orc.OrcConf;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;

/**
 * Writes an ORC file as Hive does. It uses the table's {@code orc.*} properties, zlib unless they set another codec,
 * and the proleptic calendar.
 */
public final class OrcPageSink implements PageSink {
    /**
     * The memory of a column's encoders that the writer does not account for. Measured on 10,000 columns of all kinds.
     */
    private static final long ENCODER_BYTES = 17 << 10;

    /** The memory of a column's buffers after the first rows. */
    private static final long BUFFER_BYTES = 31 << 10;

    /**
     * The maximum number of nested values in an ORC batch. ORC's vectors never shrink, and rows of Skep's vectors may
     * share their elements.
     */
    private static final long MAX_NESTED_VALUES = 1 << 18;

    private final HadoopFileSystem files;
    private final CapturedOutput output;
    private final String path;
    private final OrcRows rows;
    private final int columns;
    private final Writer writer;
    private final VectorizedRowBatch target;
    private final int batchRows;
    private long rowCount;

    OrcPageSink(HadoopFileSystem files, TableLayout table, String path, OrcRows rows) {
        this.files = files;
        this.path = path;
        this.rows = rows;
        this.columns = table.dataColumns().size();
        TypeDescription schema = rows.schema();
        Properties properties = new Properties();
        properties.putAll(table.format().properties());
        properties.putAll(table.properties());
        properties.putIfAbsent(OrcConf.COMPRESS.getAttribute(), "ZLIB");
        rows.adapt(properties);
        this.output = new CapturedOutput(files.hadoop(path));
        try {
            OrcFile.WriterOptions options = OrcFile.writerOptions(properties, files.configuration())
                    .setSchema(schema)
                    .fileSystem(output)
                    .useUTCTimestamp(true)
                    .setProlepticGregorian(true);
            rows.callback().ifPresent(options::callback);
            this.writer = OrcFile.createWriter(new Path(path), options);
        } catch (IOException e) {
            throw FileErrors.of("cannot create", path, e);
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "ORC does not take the table's properties: " + e.getMessage(),
                    e);
        }
        this.batchRows =
                BatchRows.of(table.dataColumns().stream().map(Column::type).toList());
        this.target = schema.createRowBatch(TypeDescription.RowBatchVersion.USE_DECIMAL64, batchRows);
    }

    /** Returns the heap that a file uses with its first rows. */
    public static long firstBytes(int columns) {
        return columns <= BatchRows.MANY_COLUMNS ? 0 : columns * (ENCODER_BYTES + BUFFER_BYTES);
    }

    @Override
    public void append(Batch batch) {
        int step = batchRows < Batch.TARGET_ROWS ? batchRows : batch.rowCount();
        for (int from = 0; from < batch.rowCount(); from += step) {
            write(batch.slice(from, Math.min(step, batch.rowCount() - from)));
        }
    }

    private void write(Batch batch) {
        int count = batch.rowCount();
        if (count > 1 && NestedValues.bound(batch) > MAX_NESTED_VALUES) {
            write(batch.slice(0, count / 2));
            write(batch.slice(count / 2, count - count / 2));
            return;
        }
        target.reset();
        rows.fill(batch, target.cols);
        target.size = count;
        try {
            writer.addRowBatch(target);
        } catch (IOException e) {
            throw FileErrors.of("cannot write", path, e);
        }
        rowCount += count;
    }

    @Override
    public long bufferedBytes() {
        long encoders = columns <= BatchRows.MANY_COLUMNS ? 0 : columns * ENCODER_BYTES;
        return encoders + writer.estimateMemory();
    }

    @Override
    public WrittenFile finish() {
        try {
            writer.close();
        } catch (IOException e) {
            output.closeQuietly();
            files.delete(path);
            throw FileErrors.of("cannot write", path, e);
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
            output.closeQuietly();
            files.delete(path);
        }
    }
}
