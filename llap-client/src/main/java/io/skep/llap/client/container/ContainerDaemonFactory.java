package io.skep.llap.client.container;

import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputSource;
import java.util.function.Function;

/** Starts the daemon of a container's process. It is found with {@link java.util.ServiceLoader}. */
public interface ContainerDaemonFactory {
    /** @param outputs maps the daemon in an output's location to the source of that output */
    ContainerDaemon start(ContainerConfig config, Function<DaemonIdentity, ? extends OutputSource> outputs);
}
