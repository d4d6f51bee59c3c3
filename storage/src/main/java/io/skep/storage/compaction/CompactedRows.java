package io.skep.storage.compaction;

import io.skep.common.concurrent.Interruption;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Reads the rows of a file that is compacted. */
public final class CompactedRows {
    private CompactedRows() {}

    /**
     * Reads a file from its begin to its end. Ends early if the thread is interrupted.
     *
     * @param columns positions of the columns to read
     * @param target takes batches with rows, each of which is valid during the call
     */
    static void read(
            CompactionFiles io, CompactedPlace place, Split file, List<Integer> columns, Consumer<SourceBatch> target) {
        ScanRequest request = new ScanRequest(place.table(), columns, List.of());
        try (PageSource source = io.sources().open(request, file, io.memory())) {
            while (true) {
                Interruption.check();
                source.blocked().join();
                SourceBatch batch = source.next();
                if (batch == null) {
                    return;
                }
                if (batch.rowCount() > 0) {
                    target.accept(batch);
                }
            }
        }
    }

    /** Returns the positions of the data columns of a place. */
    public static List<Integer> dataColumns(CompactedPlace place) {
        return IntStream.range(0, place.table().dataColumns().size()).boxed().toList();
    }

    /** Returns the first columns of a batch. */
    public static Batch data(SourceBatch batch, int columns) {
        List<Vector> vectors = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            vectors.add(batch.column(i));
        }
        return new Batch(vectors, batch.rowCount());
    }
}
