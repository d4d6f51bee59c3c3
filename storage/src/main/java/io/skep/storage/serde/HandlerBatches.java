package io.skep.storage.serde;

import io.skep.common.concurrent.Interruption;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.scan.FilledBatches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.jspecify.annotations.Nullable;

/** The rows of a table of a storage handler, one split after the other. An interrupt ends it between two rows. */
final class HandlerBatches<K, V> extends FilledBatches {
    private static final int BATCH_ROWS = 1024;

    /** The bytes of texts and binaries after which a batch ends. */
    private static final long BATCH_BYTES = 1 << 20;

    private final HandlerTable table;
    private final InputFormat<K, V> format;
    private final Iterator<InputSplit> splits;
    private final JobConf job;
    private final AbstractSerDe serde;
    private final List<SerdeColumn> columns;
    private @Nullable RecordReader<K, V> reader;
    private @Nullable K key;
    private @Nullable V value;

    HandlerBatches(
            HandlerTable table,
            InputFormat<K, V> format,
            List<InputSplit> splits,
            JobConf job,
            AbstractSerDe serde,
            List<SerdeColumn> columns) {
        this.table = table;
        this.format = format;
        this.splits = splits.iterator();
        this.job = job;
        this.serde = serde;
        this.columns = columns;
    }

    @Override
    protected @Nullable Batch fill() {
        int rows = 0;
        try {
            for (; rows < BATCH_ROWS && textBytes() < BATCH_BYTES; rows++) {
                Interruption.check();
                Writable record = record();
                if (record == null) {
                    break;
                }
                Object row = serde.deserialize(record);
                for (SerdeColumn column : columns) {
                    column.append(row);
                }
            }
        } catch (IOException | SerDeException | RuntimeException | LinkageError e) {
            Interruption.check();
            throw StorageHandlers.failed(table, e);
        }
        return rows == 0 ? null : batch(rows);
    }

    private long textBytes() {
        long bytes = 0;
        for (SerdeColumn column : columns) {
            bytes += column.textBytes();
        }
        return bytes;
    }

    /** Returns the next record of all splits, null after the last one. */
    private @Nullable Writable record() throws IOException {
        while (true) {
            if (reader == null) {
                if (!splits.hasNext()) {
                    return null;
                }
                reader = format.getRecordReader(splits.next(), job, Reporter.NULL);
                key = reader.createKey();
                value = reader.createValue();
            }
            if (reader.next(key, value)) {
                return (Writable) value;
            }
            RecordReader<K, V> ended = reader;
            reader = null;
            ended.close();
        }
    }

    private Batch batch(int rows) {
        List<Vector> vectors = new ArrayList<>(columns.size());
        columns.forEach(column -> vectors.add(column.build()));
        return new Batch(vectors, rows);
    }

    @Override
    public void close() {
        RecordReader<K, V> open = reader;
        reader = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException | RuntimeException e) {
                throw StorageHandlers.failed(table, e);
            }
        }
    }
}
