package io.skep.ql.compaction;

import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.storage.compaction.CompactedPlace;
import io.skep.storage.compaction.CompactedRows;
import io.skep.storage.compaction.CompactionFiles;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A sorted run of a rebalance as an input that can be merged. Its rows are valid until the next ones. */
final class RunInput implements PageInput {
    private final PageSource source;
    private final int columns;
    private boolean closed;

    RunInput(CompactionFiles io, CompactedPlace place, String path) {
        this.columns = place.table().dataColumns().size();
        FileVersion file = io.files().status(path).version();
        Split whole = new Split(file, 0, file.length(), place.table().format(), place.fileColumns(), List.of());
        ScanRequest request = new ScanRequest(place.table(), CompactedRows.dataColumns(place), List.of());
        this.source = io.sources().open(request, whole, io.memory());
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        source.blocked().join();
        SourceBatch batch = source.next();
        if (batch == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return CompletableFuture.completedFuture(Optional.of(CompactedRows.data(batch, columns)));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            source.close();
        }
    }
}
