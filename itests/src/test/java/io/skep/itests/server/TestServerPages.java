package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks that a server's page shows what happened. */
@ExtendWith(SharedServer.class)
final class TestServerPages {
    @Test
    void queriesWithTheirPlans(TestServer server) throws Exception {
        ClientSession session = server.server().sessions().open("ann", "127.0.0.1", Map.of());
        Operation operation = session.execute("select count(*) from (select 7 as seven) t where seven > 3", false);
        assertThat(operation.fetch(10).rowCount()).isEqualTo(1);
        assertThat(get(server, "api/sessions")).contains("\"user\":\"ann\"");
        String detail = get(server, "api/queries/" + operation.queryId().value());
        assertThat(detail).contains("seven > 3").contains("\"name\":\"compile\"");
        server.server().sessions().close(session.id());
        assertThat(get(server, "api/queries")).contains(operation.queryId().value());
        assertThat(get(server, "api/overview")).contains(server.jdbcUrl());
        assertThat(get(server, "api/settings"))
                .contains("hive.metastore.warehouse.dir", "hive.llap.daemon.num.executors");
    }

    @Test
    void stateOfAQueryWhoseRowsAreRead(TestServer server) throws Exception {
        ClientSession session = server.server().sessions().open("bob", "127.0.0.1", Map.of());
        Operation operation = session.execute("select v from (select explode(array(1, 2, 3)) as v) t", false);
        String page = "api/queries/" + operation.queryId().value();
        assertThat(operation.fetch(1).rowCount()).isEqualTo(1);
        assertThat(get(server, page)).contains("\"state\":\"STREAMING\"");
        assertThat(operation.fetch(10).hasMore()).isFalse();
        assertThat(get(server, page)).contains("\"state\":\"FINISHED\"");
        server.server().sessions().close(session.id());
        assertThat(get(server, page)).contains("\"state\":\"FINISHED\"");
    }

    private static String get(TestServer server, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(server.uiUrl() + path))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }
}
