package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RemoteDaemons;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon process with a certificate and a secret. Tests which peers may connect. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDaemonSecurity {
    private static final String PASSWORD = "changeit";

    private final RpcThreads threads = new RpcThreads("test");
    private Path folder = Path.of("unknown");
    private Optional<StartedDaemon> daemon = Optional.empty();

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        folder = given;
        makeCertificate("daemon");
        makeCertificate("stranger");
        Files.writeString(PrivateFiles.create(folder.resolve("secret")), "what only servers and daemons know");
        Files.writeString(PrivateFiles.create(folder.resolve("wrong")), "what somebody else has made up");
        daemon = Optional.of(StartedDaemon.start(
                folder.resolve("data"),
                Map.of(
                        "skep.llap.bind-host", "0.0.0.0",
                        "skep.llap.insecure-pages", "true",
                        "skep.llap.advertised-host", "127.0.0.1",
                        "skep.llap.rpc.secret-file", folder.resolve("secret").toString(),
                        "skep.llap.rpc.tls.certificate",
                                folder.resolve("daemon.pem").toString(),
                        "skep.llap.rpc.tls.key", folder.resolve("daemon.key").toString(),
                        "skep.llap.rpc.tls.trust", folder.resolve("daemon.pem").toString())));
    }

    @AfterAll
    void stop() throws InterruptedException {
        threads.close();
        daemon.orElseThrow().process().destroy();
        assertThat(daemon.orElseThrow().process().waitFor()).isIn(0, 143);
    }

    private void makeCertificate(String name) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        writePem(name + ".pem", "CERTIFICATE", keys.getCertificate(name).getEncoded());
        writePem(
                name + ".key",
                "PRIVATE KEY",
                keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private void writePem(String file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        Files.writeString(
                folder.resolve(file), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private RemoteDaemons connect(Optional<String> secret, Optional<String> trust, Duration patience) {
        RpcConfig config = new RpcConfig(
                Duration.ofSeconds(20),
                secret.map(folder::resolve),
                Optional.empty(),
                Optional.empty(),
                trust.map(folder::resolve),
                false);
        return connect(DaemonEndpoint.parse(daemon.orElseThrow().endpoint()), config, patience);
    }

    private RemoteDaemons connect(DaemonEndpoint endpoint, RpcConfig config, Duration patience) {
        return new RemoteDaemons(
                new DaemonConnector(config, threads, new PageCodec(BatchCodec::encode, BatchCodec::decode)),
                () -> List.of(endpoint),
                patience);
    }

    @Test
    void peersWithTrustAndSecretGetIn() {
        try (RemoteDaemons site = connect(Optional.of("secret"), Optional.of("daemon.pem"), Duration.ofSeconds(60))) {
            site.live();
            List<RemoteDaemon> alive = site.alive();
            assertThat(alive).hasSize(1);
            assertThat(alive.getFirst().identity().endpoint())
                    .contains(DaemonEndpoint.parse(daemon.orElseThrow().endpoint()));
        }
    }

    @Test
    void aWrongSecretIsNamed() {
        assertRefused(Optional.of("wrong"), Optional.of("daemon.pem"), "secret");
    }

    @Test
    void noSecretIsNamed() {
        assertRefused(Optional.empty(), Optional.of("daemon.pem"), "secret");
    }

    @Test
    void aStrangersCertificateIsRefused() {
        assertRefused(Optional.of("secret"), Optional.of("stranger.pem"), "is lost");
    }

    @Test
    void plainTextIsRefused() {
        assertRefused(Optional.of("secret"), Optional.empty(), "is lost");
    }

    private void assertRefused(Optional<String> secret, Optional<String> trust, String reason) {
        try (RemoteDaemons site = connect(secret, trust, Duration.ofSeconds(3))) {
            assertThatThrownBy(site::live).isInstanceOfSatisfying(SkepException.class, e -> {
                assertThat(e.code()).isEqualTo(StandardErrorCode.QUEUE_FULL);
                assertThat(e.fullMessage())
                        .contains(daemon.orElseThrow().endpoint())
                        .contains(reason);
            });
        }
    }

    /** With mutual TLS the secret alone is not enough, nor is a certificate of others. */
    @Test
    void aDaemonMayRequireCertificatesOfThoseWhoConnect() throws Exception {
        Map<String, String> settings = Map.of(
                "skep.llap.rpc.secret-file", folder.resolve("secret").toString(),
                "skep.llap.rpc.tls.certificate", folder.resolve("daemon.pem").toString(),
                "skep.llap.rpc.tls.key", folder.resolve("daemon.key").toString(),
                "skep.llap.rpc.tls.trust", folder.resolve("daemon.pem").toString(),
                "skep.llap.rpc.tls.peer-certificates", "required");
        StartedDaemon mutual = StartedDaemon.start(folder.resolve("mutual"), settings);
        try {
            DaemonEndpoint endpoint = DaemonEndpoint.parse(mutual.endpoint());
            try (RemoteDaemons site = connect(endpoint, secured(Optional.of("daemon")), Duration.ofSeconds(60))) {
                site.live();
                assertThat(site.alive()).hasSize(1);
            }
            for (Optional<String> own : List.of(Optional.<String>empty(), Optional.of("stranger"))) {
                try (RemoteDaemons site = connect(endpoint, secured(own), Duration.ofSeconds(3))) {
                    assertThatThrownBy(site::live)
                            .isInstanceOf(SkepException.class)
                            .hasMessageContaining(endpoint.toString());
                    assertThat(site.alive()).isEmpty();
                }
            }
        } finally {
            mutual.process().destroy();
            assertThat(mutual.process().waitFor()).isIn(0, 143);
        }
    }

    /** @param own the certificate that this process presents */
    private RpcConfig secured(Optional<String> own) {
        return new RpcConfig(
                Duration.ofSeconds(20),
                Optional.of(folder.resolve("secret")),
                own.map(name -> folder.resolve(name + ".pem")),
                own.map(name -> folder.resolve(name + ".key")),
                Optional.of(folder.resolve("daemon.pem")),
                false);
    }

    /**
     * A daemon that other hosts could reach does not start without a secret and a login for its pages. A daemon whose
     * folder is in use does not start either.
     */
    @Test
    void unsafeStartsAreRefused() throws Exception {
        Path log = folder.resolve("refused.log");
        Process open = StartedDaemon.launch(
                List.of(),
                folder.resolve("open"),
                0,
                Map.of("skep.llap.bind-host", "0.0.0.0", "skep.llap.insecure-pages", "true"),
                log);
        assertThat(open.waitFor()).isEqualTo(1);
        assertThat(Files.readString(log)).contains("skep.llap.rpc.secret-file");
        Process pages = StartedDaemon.launch(
                List.of(),
                folder.resolve("open"),
                0,
                Map.of(
                        "skep.llap.bind-host",
                        "0.0.0.0",
                        "skep.llap.rpc.secret-file",
                        folder.resolve("secret").toString()),
                log);
        assertThat(pages.waitFor()).isEqualTo(1);
        assertThat(Files.readString(log)).contains("skep.llap.insecure-pages=true");
        Process second = StartedDaemon.launch(List.of(), folder.resolve("data"), 0, Map.of(), log);
        assertThat(second.waitFor()).isEqualTo(1);
        assertThat(Files.readString(log)).contains("in use by another daemon");
    }
}
