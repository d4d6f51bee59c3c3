package io.skep.llap.server;

import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.llap.client.PageStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Another daemon's output as a task's input. */
record RemoteInput(PageStream stream) implements PageInput {
    @Override
    public CompletableFuture<Optional<Batch>> next() {
        return stream.next();
    }

    @Override
    public void close() {
        stream.close();
    }
}
