package io.skep.authentication.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserAuthentication;
import io.skep.authentication.UserFile;
import io.skep.authentication.tls.TlsConfig;
import io.skep.authentication.tls.TlsContext;
import io.skep.common.config.SettingsReader;
import io.skep.common.testing.SelfSigned;
import io.skep.webui.PageAccess;
import io.skep.webui.WebServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestPageLogin {
    private static WebServer start(Map<String, String> settings) {
        return start(settings, user -> true);
    }

    private static WebServer start(Map<String, String> settings, Predicate<String> viewers) {
        AuthenticationConfig config = AuthenticationConfig.of(new SettingsReader(settings), true);
        Configuration site = new Configuration(false);
        settings.forEach(site::set);
        return WebServer.start(
                InetAddress.getLoopbackAddress(),
                0,
                List.of(),
                new PageAccess(
                        Optional.empty(),
                        PageLogin.of(
                                UserAuthentication.open(config, site),
                                InstantSource.system(),
                                viewers,
                                LoginLog.NONE)));
    }

    private static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> get(WebServer server, String path, String... headers) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/page.js", "/api/overview", "/api/queries", "/nothing"})
    void nothingIsServedWithoutALogin(String path, @TempDir Path folder) throws Exception {
        Path users = folder.resolve("users");
        new UserFile(users).change(file -> file.put("ann", PasswordHash.of("secret")));
        try (WebServer server = start(
                Map.of("hive.server2.authentication", "FILE", "skep.authentication.user-file", users.toString()))) {
            HttpResponse<String> refused = get(server, path);
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate"))
                    .hasValueSatisfying(challenge -> assertThat(challenge).startsWith("Basic realm="));
            assertThat(refused.headers().map()).doesNotContainKey("set-cookie");
            assertThat(refused.body()).doesNotContain("<title>Skep</title>");
            assertThat(get(server, path, "Authorization", basic("bob")).statusCode())
                    .isEqualTo(401);
            assertThat(get(server, path, "Cookie", "skep.pages=abc.def").statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void aCookieStandsForTheLogin(@TempDir Path folder) throws Exception {
        Path users = folder.resolve("users");
        new UserFile(users).change(file -> file.put("ann", PasswordHash.of("secret")));
        try (WebServer server = start(
                Map.of("hive.server2.authentication", "FILE", "skep.authentication.user-file", users.toString()))) {
            HttpResponse<String> page = get(server, "/", "Authorization", basic("ann"));
            assertThat(page.statusCode()).isEqualTo(200);
            String cookie = page.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("; HttpOnly; SameSite=Strict").doesNotContain("secret");
            HttpResponse<String> next = get(server, "/", "Cookie", cookie.substring(0, cookie.indexOf(';')));
            assertThat(next.statusCode()).isEqualTo(200);
            assertThat(next.headers().map()).doesNotContainKey("set-cookie");
        }
    }

    @Test
    void othersThanTheViewersAreRefusedAfterTheirLogin(@TempDir Path folder) throws Exception {
        Path users = folder.resolve("users");
        for (String name : List.of("ann", "bob")) {
            new UserFile(users).change(file -> file.put(name, PasswordHash.of("secret")));
        }
        Map<String, String> settings =
                Map.of("hive.server2.authentication", "FILE", "skep.authentication.user-file", users.toString());
        try (WebServer server = start(settings, "ann"::equals)) {
            assertThat(get(server, "/", "Authorization", basic("ann")).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> refused = get(server, "/api/queries", "Authorization", basic("bob"));
            assertThat(refused.statusCode()).isEqualTo(403);
            String cookie = refused.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(get(server, "/", "Cookie", cookie.substring(0, cookie.indexOf(';')))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(get(server, "/").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void pagesAreEncryptedWhereTheSiteSaysSo(@TempDir Path folder) throws Exception {
        SelfSigned key = SelfSigned.make(folder.resolve("pages.p12"));
        Map<String, String> settings = Map.of(
                "hive.server2.webui.use.ssl",
                "true",
                "hive.server2.webui.keystore.path",
                key.file().toString(),
                "hive.server2.webui.keystore.password",
                SelfSigned.PASSWORD);
        Configuration site = new Configuration(false);
        settings.forEach(site::set);
        TlsContext tls = TlsContext.open(TlsConfig.ofPages(new SettingsReader(settings)), site)
                .orElseThrow();
        PageAccess access = new PageAccess(Optional.of(HttpTls.of(tls)), UnaryOperator.identity());
        try (WebServer server = WebServer.start(InetAddress.getLoopbackAddress(), 0, List.of(), access);
                HttpClient client =
                        HttpClient.newBuilder().sslContext(key.trustedBy()).build()) {
            URI page = URI.create("https://localhost:" + server.port() + "/");
            assertThat(client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
                            .body())
                    .contains("<title>Skep</title>");
            assertThatThrownBy(() -> get(server, "/")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void pagesOfAServerThatVerifiesNoNamesAreOpen() throws Exception {
        for (String mode : List.of("NONE", "NOSASL")) {
            try (WebServer server = start(Map.of("hive.server2.authentication", mode))) {
                assertThat(get(server, "/").statusCode()).isEqualTo(200);
            }
        }
    }
}
