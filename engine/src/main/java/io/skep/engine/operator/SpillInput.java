package io.skep.engine.operator;

import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.spill.SpillFile;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A spilled run as an input that can be merged. Deletes the file when it is closed. */
final class SpillInput implements PageInput {
    private final SpillFile file;
    private final SpillFile.Reader reader;

    SpillInput(SpillFile file) {
        this.file = file;
        this.reader = file.read();
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        return CompletableFuture.completedFuture(Optional.ofNullable(reader.next()));
    }

    @Override
    public void close() {
        file.close();
    }
}
