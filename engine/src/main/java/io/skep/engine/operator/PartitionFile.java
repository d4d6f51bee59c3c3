package io.skep.engine.operator;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.codec.SummaryCodec;
import io.skep.storage.statistics.ColumnSummarizer;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.util.List;
import java.util.Optional;

/** A file that is being written, with the summaries of its columns so far. */
final class PartitionFile {
    private final String partition;
    private final PageSink sink;
    private final List<ColumnSummarizer> columns;

    /** @param summarized types of the summarized columns; either all data columns or none */
    PartitionFile(String partition, PageSink sink, List<SqlType> summarized) {
        this.partition = partition;
        this.sink = sink;
        this.columns = summarized.stream().map(ColumnSummarizer::of).toList();
    }

    String partition() {
        return partition;
    }

    void append(Batch batch) {
        for (int i = 0; i < columns.size(); i++) {
            columns.get(i).add(batch.column(i));
        }
        sink.append(batch);
    }

    long bufferedBytes() {
        long bytes = sink.bufferedBytes();
        for (ColumnSummarizer column : columns) {
            bytes += column.retainedBytes();
        }
        return bytes;
    }

    WrittenFile finish() {
        return sink.finish();
    }

    /** Returns the encoded summaries, or empty if no column is summarized. */
    Optional<byte[]> summaries() {
        return columns.isEmpty()
                ? Optional.empty()
                : Optional.of(SummaryCodec.encode(
                        columns.stream().map(ColumnSummarizer::summary).toList()));
    }

    void abort() {
        sink.abort();
    }
}
