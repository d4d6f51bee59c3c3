package io.skep.ql.insert;

import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.codec.SummaryCodec;
import io.skep.storage.statistics.ColumnSummary;
import io.skep.storage.write.WrittenFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files that the tasks of one attempt have reported as written, by the folder below the table. */
final class StagedRows {
    private final Map<String, List<WrittenFile>> files = new LinkedHashMap<>();
    private final Map<String, List<ColumnSummary>> summaries = new HashMap<>();

    private long replaced;

    /** Discards the files of an attempt that has failed. */
    void clear() {
        replaced = 0;
        files.clear();
        summaries.clear();
    }

    void add(Batch batch) {
        BytesVector paths = (BytesVector) batch.column(0).flatten();
        BytesVector partitions = (BytesVector) batch.column(1).flatten();
        LongVector rows = (LongVector) batch.column(2).flatten();
        LongVector bytes = (LongVector) batch.column(3).flatten();
        BytesVector columns = (BytesVector) batch.column(4).flatten();
        LongVector updates = (LongVector) batch.column(5).flatten();
        for (int i = 0; i < batch.rowCount(); i++) {
            files.computeIfAbsent(partitions.string(i), name -> new ArrayList<>())
                    .add(new WrittenFile(paths.string(i), rows.value(i), bytes.value(i)));
            replaced += updates.value(i);
            if (!columns.isNull(i)) {
                summaries.merge(partitions.string(i), SummaryCodec.decode(columns.bytes(i)), StagedRows::merge);
            }
        }
    }

    private static List<ColumnSummary> merge(List<ColumnSummary> left, List<ColumnSummary> right) {
        List<ColumnSummary> merged = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            merged.add(left.get(i).merge(right.get(i)));
        }
        return merged;
    }

    /** Adds a folder, with or without files. */
    void include(String partition) {
        files.putIfAbsent(partition, List.of());
    }

    Map<String, List<WrittenFile>> files() {
        return files;
    }

    List<WrittenFile> files(String partition) {
        return files.getOrDefault(partition, List.of());
    }

    Optional<List<ColumnSummary>> summaries(String partition) {
        return Optional.ofNullable(summaries.get(partition));
    }

    /** Returns the number of rows. A row that replaces another one counts once, not also as a delete. */
    long rowCount() {
        return files.values().stream()
                        .flatMap(List::stream)
                        .mapToLong(WrittenFile::rowCount)
                        .sum()
                - replaced;
    }
}
