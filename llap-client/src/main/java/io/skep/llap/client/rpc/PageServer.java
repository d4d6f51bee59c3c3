package io.skep.llap.client.rpc;

import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonIdentity;
import java.util.Optional;
import java.util.function.Consumer;

/** The daemon of this process, for those that it connects to. */
public interface PageServer {
    DaemonIdentity identity();

    /**
     * Sends the daemon's rows to whoever reads at the other end of a stream, which it starts.
     *
     * @param onEnd hears once of the stream's end; empty when whoever reads has finished
     */
    void serve(MessageStream stream, Consumer<Optional<SkepException>> onEnd);
}
