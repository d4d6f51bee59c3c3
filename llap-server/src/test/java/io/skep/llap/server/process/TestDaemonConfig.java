package io.skep.llap.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestDaemonConfig {
    private static final Path DATA = Path.of("data");

    @Test
    void whatServersAndApplicationMastersReadIsNotForADaemon() {
        Map<String, String> settings = Map.of(
                "skep.scheduler", "direct",
                "skep.llap.yarn.java-home", "/usr/jdk",
                "skep.llap.yarn.liveness-timeout", "5s",
                "skep.llap.drain-timeout", "7s");
        assertThat(DaemonConfig.of(settings, DATA).drainTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(DaemonConfig.drainTimeout(settings)).isEqualTo(Duration.ofSeconds(7));
        assertThat(DaemonConfig.drainTimeout(Map.of())).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void whatIsMisspeltIsRefused() {
        assertThatThrownBy(() -> DaemonConfig.of(Map.of("skep.llap.drain-time", "7s"), DATA))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining("skep.llap.drain-timeout");
        assertThatThrownBy(() -> DaemonConfig.drainTimeout(Map.of("skep.llap.drain-timeout", "soon")))
                .isInstanceOf(SkepException.class);
    }

    private static void refused(Map<String, String> settings, String... texts) {
        assertThatThrownBy(() -> DaemonConfig.of(settings, DATA))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                .hasMessageContainingAll(texts);
    }

    @Test
    void pagesWithoutALoginAreForTheLoopback() {
        for (String mode : List.of("NONE", "NOSASL")) {
            Map<String, String> open = Map.of("skep.llap.bind-host", "0.0.0.0", "hive.server2.authentication", mode);
            refused(open, "skep.llap.bind-host", "hive.server2.authentication", "skep.llap.insecure-pages=true");
            assertThatThrownBy(() -> DaemonConfig.checkPages(open, "0.0.0.0")).isInstanceOf(SkepException.class);
            Map<String, String> accepted = new HashMap<>(open);
            accepted.put("skep.server.insecure-listen", "true");
            refused(accepted, "skep.llap.insecure-pages=true");
            accepted.put("skep.llap.insecure-pages", "true");
            assertThat(DaemonConfig.of(accepted, DATA).pages().authentication().verifies())
                    .isFalse();
            DaemonConfig.checkPages(accepted, "0.0.0.0");
        }
        DaemonConfig.checkPages(Map.of(), "127.0.0.1");
        Map<String, String> closed = Map.of(
                "skep.llap.bind-host", "0.0.0.0",
                "hive.server2.authentication", "FILE",
                "skep.authentication.user-file", "users");
        assertThat(DaemonConfig.of(closed, DATA).pages().authentication().verifies())
                .isTrue();
    }

    @Test
    void whatALoginToThePagesNeedsIsRefusedByName() {
        refused(Map.of("hive.server2.authentication", "FILE"), "skep.authentication.user-file is missing");
        refused(
                Map.of("hive.server2.authentication", "KERBEROS"),
                "hive.llap.webui.spnego.principal is missing",
                "hive.llap.webui.spnego.keytab is missing");
        refused(Map.of("hive.llap.auto.auth", "true"), "hive.llap.auto.auth", "hive.server2.authentication");
        refused(Map.of("hive.llap.daemon.web.ssl", "true"), "hive.server2.webui.keystore.path is not set");
    }

    @Test
    void pagesAreReachedByAllNamesOfTheDaemon() {
        Map<String, String> settings = Map.of(
                "skep.llap.bind-host", "127.0.0.1",
                "skep.llap.advertised-host", "node1.example.org",
                "skep.webui.hosts", "proxy.example.org, other");
        assertThat(DaemonConfig.of(settings, DATA).pageHosts())
                .containsExactly("127.0.0.1", "node1.example.org", "proxy.example.org", "other");
    }
}
