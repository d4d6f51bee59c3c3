package io.skep.llap.client.rpc;

import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonIdentity;
import java.util.Optional;
import java.util.function.Consumer;

/** Serves the outputs of this process's daemon to the daemons that it connects to. */
public interface PageServer {
    DaemonIdentity identity();

    /**
     * Starts a stream and sends the daemon's rows to the reader at its other end.
     *
     * @param onEnd called once at the stream's end; empty when the reader has finished
     */
    void serve(MessageStream stream, Consumer<Optional<SkepException>> onEnd);
}
