package io.skep.itests.server;

import io.skep.itests.SharedSite;
import java.util.Map;

/** Shares the one {@link TestServer} of the run, which serves both transports. */
public final class SharedServer extends SharedSite<TestServer> {
    private static final Map<String, String> SITE = Map.of(
            "hive.server2.transport.mode", "all",
            "hive.server2.thrift.http.port", "0",
            "skep.script.enabled", "true");

    public SharedServer() {
        super(TestServer.class, () -> TestServer.start(SITE), TestServer::assertNothingLeft);
    }
}
