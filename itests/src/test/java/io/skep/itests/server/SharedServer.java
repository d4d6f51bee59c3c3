package io.skep.itests.server;

import io.skep.itests.SharedSite;
import java.util.Map;

/** Shares the one {@link TestServer} of the run. */
public final class SharedServer extends SharedSite<TestServer> {
    public SharedServer() {
        super(TestServer.class, () -> TestServer.start(Map.of()), TestServer::assertNothingLeft);
    }
}
