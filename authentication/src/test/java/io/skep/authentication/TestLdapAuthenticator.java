package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.ldap.LdapConfig;
import io.skep.common.config.SettingsReader;
import io.skep.common.testing.Polling;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests logins whose directory is silent, or goes away meanwhile. */
@Timeout(120)
final class TestLdapAuthenticator {
    private static final String ADDRESS = "192.0.2.1";

    private static PasswordAuthenticator authenticator(ServerSocket directory, String timeout) {
        SettingsReader reader = new SettingsReader(Map.of(
                "hive.server2.authentication.ldap.url",
                "ldap://127.0.0.1:" + directory.getLocalPort(),
                "hive.server2.authentication.ldap.baseDN",
                "dc=example",
                "skep.authentication.ldap.timeout",
                timeout,
                "skep.authentication.ldap.max-logins",
                "1"));
        LdapConfig config = LdapConfig.of(reader);
        reader.finish();
        return LdapAuthenticator.open(config, new Configuration(false));
    }

    private static CompletableFuture<Throwable> login(PasswordAuthenticator authenticator) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                failure.completeExceptionally(new AssertionError(authenticator.verify("ann", "secret", ADDRESS)));
            } catch (AuthenticationException e) {
                failure.complete(e);
            }
        });
        return failure;
    }

    @Test
    void aDirectoryThatHangsUpRefusesTheLogin() throws Exception {
        int threads = Thread.activeCount();
        try (ServerSocket directory = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Throwable> login = login(authenticator(directory, "60s"));
            try (Socket connection = directory.accept()) {
                assertThat(connection.getInputStream().read())
                        .as("the login has begun")
                        .isNotNegative();
            }
            assertThat(login.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(AuthenticationException.class)
                    .satisfies(e -> assertThat(e.toString()).doesNotContain("secret"));
        }
        assertThat(Polling.comesTrue(Duration.ofSeconds(30), () -> Thread.activeCount() <= threads))
                .as("JNDI's threads end")
                .isTrue();
    }

    @Test
    void loginsAreLimitedInNumber() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            PasswordAuthenticator authenticator = authenticator(silent, "2s");
            CompletableFuture<Throwable> first = login(authenticator);
            try (Socket connection = silent.accept()) {
                CompletableFuture<Throwable> second = login(authenticator);
                assertThat(first.get(30, TimeUnit.SECONDS)).isInstanceOf(AuthenticationException.class);
                assertThat(second.get(30, TimeUnit.SECONDS)).isInstanceOf(AuthenticationException.class);
                assertThat(connection.isClosed()).isFalse();
            }
        }
    }

    @Test
    void aDirectoryThatIsNotThereRefusesTheLogin() throws IOException {
        ServerSocket closed = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        PasswordAuthenticator authenticator = authenticator(closed, "2s");
        closed.close();
        assertThatThrownBy(() -> authenticator.verify("ann", "secret", ADDRESS))
                .isInstanceOf(AuthenticationException.class);
    }
}
