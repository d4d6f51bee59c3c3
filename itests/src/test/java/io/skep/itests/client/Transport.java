package io.skep.itests.client;

import io.skep.itests.server.TestServer;

/** How a driver reaches a server that serves both transports. */
enum Transport {
    BINARY,
    HTTP;

    /** Returns the URL of a database, to which settings and variables can be appended. */
    String url(TestServer server, String database) {
        return switch (this) {
            case BINARY -> "jdbc:hive2://127.0.0.1:" + server.port() + "/" + database;
            case HTTP ->
                "jdbc:hive2://127.0.0.1:" + server.server().httpPort().orElseThrow() + "/" + database
                        + ";transportMode=http;httpPath=cliservice";
        };
    }
}
