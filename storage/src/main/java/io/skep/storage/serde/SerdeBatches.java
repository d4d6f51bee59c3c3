package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.file.FooterLines;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.scan.FilledBatches;
import io.skep.storage.serde.container.RecordReaders;
import io.skep.storage.table.Split;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.BinaryComparable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a part of a file through its input format and SerDe. */
final class SerdeBatches extends FilledBatches {
    private final Split split;
    private final int columnCount;
    private final int batchRows;
    private final AbstractSerDe serde;
    private final StructObjectInspector inspector;
    private final List<SerdeColumn> columns;
    private final LazyBinaryLengths lengths;
    private long largestRecord;
    private final Records records;
    private final AtomicLong bytesRead;
    private long position;
    private boolean ended;

    SerdeBatches(
            RecordReaders readers,
            Split split,
            long start,
            long length,
            List<Integer> wanted,
            int batchRows,
            ZoneId zone,
            AtomicLong bytesRead) {
        this.split = split;
        this.columnCount = wanted.size();
        this.batchRows = batchRows;
        this.bytesRead = bytesRead;
        JobConf job = readers.job();
        ColumnProjectionUtils.setReadColumns(job, new ArrayList<>(wanted));
        Properties properties = SerdeClasses.properties(split.format(), split.fileColumns());
        properties.forEach((name, value) -> job.set(name.toString(), value.toString()));
        this.serde = SerdeClasses.serde(split.format(), properties, job);
        try {
            this.inspector = (StructObjectInspector) serde.getObjectInspector();
            this.lengths = new LazyBinaryLengths(serde, inspector);
            this.columns = SerdeColumn.of(inspector, wanted, split.fileColumns(), zone);
            InputFormat<?, ?> format = SerdeClasses.inputFormat(split.format(), job);
            FileSplit part = new FileSplit(new Path(split.file().path()), start, length, new String[0]);
            this.records = records(readers, readers.open(split, part, format, serde, job));
            this.position = start;
        } catch (IOException | SerDeException | RuntimeException e) {
            throw ReadErrors.of(split.file().path(), "open by " + split.format().serde(), e);
        }
    }

    private <K, V> Records records(RecordReaders readers, RecordReader<K, V> reader) {
        String path = split.file().path();
        return new RecordsOf<>(
                reader,
                () -> readers.value(reader, path),
                lines("skip.header.line.count"),
                FooterLines.checked(lines(FooterLines.PROPERTY)));
    }

    private int lines(String property) {
        String text = split.format().properties().getOrDefault(property, "0").strip();
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    }

    /** The reader reuses the same record. */
    @Override
    public long retainedBytes() {
        return largestRecord;
    }

    @Override
    protected @Nullable Batch fill() {
        if (ended) {
            return null;
        }
        int rows = 0;
        try {
            while (rows < batchRows) {
                Writable record = records.next();
                if (record == null) {
                    close();
                    break;
                }
                lengths.check(record);
                if (record instanceof BinaryComparable bytes) {
                    largestRecord = Math.max(largestRecord, bytes.getBytes().length);
                }
                Object row = serde.deserialize(record);
                for (SerdeColumn column : columns) {
                    column.append(row);
                }
                rows++;
            }
            long now = ended ? position : records.position();
            bytesRead.addAndGet(Math.max(0, now - position));
            position = now;
        } catch (IOException | SerDeException | RuntimeException e) {
            closeAfter(e);
            throw ReadErrors.of(
                    split.file().path(),
                    "row " + (rows + 1) + " behind byte " + position + " by "
                            + split.format().serde(),
                    e);
        }
        return rows == 0 ? null : batch(rows);
    }

    private Batch batch(int rows) {
        List<Vector> vectors = new ArrayList<>(columnCount);
        for (SerdeColumn column : columns) {
            vectors.add(column.build());
        }
        return new Batch(vectors, rows);
    }

    private void closeAfter(Exception failure) {
        try {
            close();
        } catch (SkepException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        if (!ended) {
            ended = true;
            try {
                bytesRead.addAndGet(Math.max(0, records.position() - position));
                records.close();
            } catch (IOException e) {
                throw ReadErrors.of(split.file().path(), "closing", e);
            }
        }
    }
}
