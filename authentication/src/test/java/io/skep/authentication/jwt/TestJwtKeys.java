package io.skep.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import com.sun.net.httpserver.HttpServer;
import io.skep.authentication.testing.TestingTokens;
import io.skep.common.error.SkepException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests how keys are read: new ones, withdrawn ones, and servers that do not give them. */
@Timeout(120)
final class TestJwtKeys {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final AtomicReference<String> answer = new AtomicReference<>("");
    private final AtomicInteger status = new AtomicInteger(200);
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            byte[] body = answer.get().getBytes(StandardCharsets.UTF_8);
            if (status.get() == 302) {
                exchange.getResponseHeaders().add("Location", "/elsewhere");
            }
            exchange.sendResponseHeaders(status.get(), body.length == 0 ? -1 : body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            } catch (IOException e) {
                // The client has read enough.
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
    }

    private JwtVerifier verifier(URI... urls) {
        return JwtVerifier.open(
                new JwtConfig(List.of(urls), Optional.empty(), Optional.empty()), Duration.ofSeconds(2), now::get);
    }

    private static boolean accepts(JwtVerifier verifier, TestingTokens issuer) {
        try {
            return verifier.verify(issuer.signed(
                            new JWSHeader(JWSAlgorithm.ES256),
                            new JWTClaimsSet.Builder().subject("ann").build()))
                    .subject()
                    .equals("ann");
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    @Test
    void newKeysAreReadWhenATokenNeedsThem() {
        TestingTokens old = new TestingTokens();
        TestingTokens young = new TestingTokens();
        answer.set(old.publicKeys());
        JwtVerifier verifier = verifier(url());
        assertThat(accepts(verifier, old)).isTrue();
        answer.set(young.publicKeys());
        for (int i = 0; i < 20; i++) {
            assertThat(accepts(verifier, young)).isFalse();
        }
        assertThat(requests).as("not more often than a client may cause").hasValue(1);
        pass(JwtKeys.MIN_AGE);
        assertThat(accepts(verifier, young)).isTrue();
        assertThat(accepts(verifier, old)).as("the old key").isFalse();
        assertThat(requests).hasValue(2);
    }

    @Test
    void withdrawnKeysEnd() {
        TestingTokens old = new TestingTokens();
        answer.set(old.publicKeys());
        JwtVerifier verifier = verifier(url());
        answer.set(new TestingTokens().publicKeys());
        pass(JwtKeys.MAX_AGE.minusMillis(1));
        assertThat(accepts(verifier, old)).isTrue();
        pass(Duration.ofMillis(1));
        assertThat(accepts(verifier, old)).isFalse();
    }

    @Test
    void aServerThatFailsKeepsItsKeys() {
        TestingTokens issuer = new TestingTokens();
        answer.set(issuer.publicKeys());
        JwtVerifier verifier = verifier(url());
        for (int failure : new int[] {500, 404, 302, 204}) {
            status.set(failure);
            pass(JwtKeys.MAX_AGE);
            assertThat(accepts(verifier, issuer)).as("%s", failure).isTrue();
        }
        status.set(200);
        for (String wrong : List.of("", "{}", "{\"keys\":[]}", "<html>", " ".repeat(KeySource.MAX_BYTES + 1))) {
            answer.set(wrong);
            pass(JwtKeys.MAX_AGE);
            assertThat(accepts(verifier, issuer)).as("%.20s", wrong).isTrue();
        }
        server.stop(0);
        pass(JwtKeys.MAX_AGE);
        assertThat(accepts(verifier, issuer)).as("unreachable").isTrue();
    }

    @Test
    void aServerThatIsNotThereYetIsAskedAgain() {
        TestingTokens issuer = new TestingTokens();
        status.set(503);
        JwtVerifier verifier = verifier(url());
        assertThat(accepts(verifier, issuer)).isFalse();
        status.set(200);
        answer.set(issuer.publicKeys());
        pass(JwtKeys.MIN_AGE);
        assertThat(accepts(verifier, issuer)).isTrue();
    }

    @Test
    void severalSetsCount(@TempDir Path folder) throws IOException {
        TestingTokens one = new TestingTokens();
        TestingTokens two = new TestingTokens();
        answer.set(one.publicKeys());
        Path file = Files.writeString(folder.resolve("keys.json"), two.publicKeys());
        JwtVerifier verifier = verifier(url(), file.toUri());
        assertThat(accepts(verifier, one)).isTrue();
        assertThat(accepts(verifier, two)).isTrue();
        assertThatThrownBy(() -> verifier(folder.resolve("none.json").toUri())).isInstanceOf(SkepException.class);
    }

    @Test
    void aSilentServerCostsALimitedTime() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            long begin = System.nanoTime();
            JwtVerifier verifier = verifier(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/keys"));
            assertThat(accepts(verifier, new TestingTokens())).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
        }
    }
}
