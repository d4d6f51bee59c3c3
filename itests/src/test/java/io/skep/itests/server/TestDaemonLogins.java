package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserFile;
import io.skep.itests.client.ReleasedClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server and a daemon of a site whose users log in, as processes with the same settings. */
@Timeout(300)
final class TestDaemonLogins {
    private static final String PASSWORD = "pl4nted-pAssw0rd";
    private static final String PLANTED = "pl4nted-S3CRET";

    @TempDir
    private Path folder;

    private static HttpResponse<String> get(String uri, String... headers) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static String basic(String password) {
        return "Basic " + Base64.getEncoder().encodeToString(("ann:" + password).getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, String> site() throws Exception {
        Path users = folder.resolve("users");
        new UserFile(users).change(file -> file.put("ann", PasswordHash.of(PASSWORD)));
        return Map.of(
                "hive.server2.authentication",
                "FILE",
                "skep.authentication.user-file",
                users.toString(),
                "hive.server2.authentication.ldap.bindpw",
                PLANTED,
                "hive.server2.webui.keystore.password",
                PLANTED,
                "skep.audit.enabled",
                "true");
    }

    /** Servers and daemons know each other by other means: the login of the pages is in nobody's way. */
    @Test
    void queriesRunAndPagesAskForALogin() throws Exception {
        Map<String, String> site = site();
        Path data = folder.resolve("daemon");
        try (StartedDaemon daemon = StartedDaemon.start(data, site)) {
            Map<String, String> ofServer = new HashMap<>(site);
            ofServer.put("skep.llap.daemons", daemon.endpoint());
            try (ReleasedClient client = ReleasedClient.open();
                    ServerProcess server = ServerProcess.start(folder.resolve("server"), ofServer);
                    Connection connection = client.connect(server.url() + ";user=ann;password=" + PASSWORD);
                    Statement statement = connection.createStatement()) {
                statement.execute("create table t stored as orc as select 7 as a");
                try (ResultSet rows = statement.executeQuery("select sum(a) from t")) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getLong(1)).isEqualTo(7);
                }
                for (String path : List.of("", "api/overview", "api/queries", "api/figures", "api/settings")) {
                    assertThat(get(daemon.uiUrl() + path).statusCode()).as(path).isEqualTo(401);
                    HttpResponse<String> shown = get(daemon.uiUrl() + path, "Authorization", basic(PASSWORD));
                    assertThat(shown.statusCode()).as(path).isEqualTo(200);
                    assertThat(shown.body()).as(path).doesNotContain(PASSWORD, PLANTED);
                }
                assertThat(get(daemon.uiUrl(), "Authorization", basic("no" + PASSWORD))
                                .statusCode())
                        .isEqualTo(401);
                Path commandLine = Path.of("/proc/" + daemon.process().pid() + "/cmdline");
                if (Files.exists(commandLine)) {
                    assertThat(Files.readString(commandLine)).doesNotContain(PASSWORD, PLANTED);
                }
            }
        }
        assertThat(Files.readString(data.resolve("audit/audit.log")))
                .contains("\"login\":\"ann\",\"decision\":\"ALLOWED\"", "\"login\":\"ann\",\"decision\":\"DENIED\"");
        assertThat(Files.readString(folder.resolve("daemon.log")))
                .contains("a login to the pages from 127.0.0.1 is refused");
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains(".conf"))
                    .toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(PASSWORD, PLANTED);
            }
        }
    }
}
