package io.skep.itests.daemons;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.SharedSite;

/** Shares the one {@link RemoteServer} of the run. */
final class SharedRemoteServer extends SharedSite<RemoteServer> {
    SharedRemoteServer() {
        super(
                RemoteServer.class,
                RemoteServer::start,
                server -> assertThat(server.leftovers()).isEmpty());
    }
}
