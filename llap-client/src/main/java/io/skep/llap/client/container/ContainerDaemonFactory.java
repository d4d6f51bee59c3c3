package io.skep.llap.client.container;

import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputSource;
import java.util.function.Function;

/** Makes the daemon of a container's process. Found with {@link java.util.ServiceLoader}. */
public interface ContainerDaemonFactory {
    /** @param outputs who has the outputs that tasks read, by what their locations say */
    ContainerDaemon start(ContainerConfig terms, Function<DaemonIdentity, ? extends OutputSource> outputs);
}
