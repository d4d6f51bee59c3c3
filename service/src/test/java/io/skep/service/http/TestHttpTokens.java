package io.skep.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.authentication.testing.TestingTokens;
import io.skep.service.session.ClientSession;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests logins by signed tokens over HTTP. */
final class TestHttpTokens {
    private final TestingTokens issuer = new TestingTokens();

    @TempDir
    private Path folder;

    private Map<String, String> settings;

    @BeforeEach
    void writeKeys() throws Exception {
        Path keys = Files.writeString(folder.resolve("keys.json"), issuer.publicKeys());
        settings = Map.of(
                "hive.server2.authentication", "JWT",
                "hive.server2.transport.mode", "http",
                "hive.server2.authentication.jwt.jwks.url", keys.toUri().toString());
    }

    private static String call(String authorization) throws Exception {
        byte[] body = TestingHttpServer.openSession();
        return RawHttp.header("Authorization: " + authorization, "Content-Length: " + body.length)
                + new String(body, StandardCharsets.ISO_8859_1);
    }

    @Test
    void aTokenIsALogin() throws Exception {
        String token = issuer.token("ann", Duration.ofMinutes(5));
        try (TestingHttpServer server = new TestingHttpServer(settings)) {
            String answer = RawHttp.ask(server, call("Bearer " + token));
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("ann");
            Matcher age = Pattern.compile("Set-Cookie: hive\\.server2\\.auth=.*Max-Age=(\\d+)")
                    .matcher(answer);
            assertThat(age.find()).isTrue();
            assertThat(Integer.parseInt(age.group(1)))
                    .as("the cookie ends with the token")
                    .isBetween(1, 300);
            assertThat(RawHttp.ask(server, call("bearer  " + token))).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void otherLoginsAreRefused() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(settings)) {
            for (String login : List.of(
                    "Bearer " + new TestingTokens().token("ann", Duration.ofMinutes(5)),
                    "Bearer " + issuer.token("ann", Duration.ofSeconds(-1)),
                    "Bearer " + issuer.token("a\u0000b", Duration.ofMinutes(5)),
                    "Bearer " + issuer.token("a".repeat(300), Duration.ofMinutes(5)),
                    "Bearer ",
                    "Bearer",
                    "Bearer x",
                    "Negotiate x",
                    "none",
                    TestingHttpServer.basic("ann"))) {
                assertThat(RawHttp.ask(server, call(login)))
                        .as(login)
                        .startsWith("HTTP/1.1 401 ")
                        .contains("WWW-Authenticate: Bearer realm=\"HiveServer2\"")
                        .doesNotContain("Basic", "Set-Cookie");
            }
            assertThat(RawHttp.ask(server, call("Bearer " + "a".repeat(20_000))))
                    .startsWith("HTTP/1.1 431 ");
            assertThat(server.sessions.all()).isEmpty();
        }
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            assertThat(RawHttp.ask(server, call("Bearer " + issuer.token("ann", Duration.ofMinutes(5)))))
                    .as("a server without tokens")
                    .startsWith("HTTP/1.1 401 ");
        }
    }
}
