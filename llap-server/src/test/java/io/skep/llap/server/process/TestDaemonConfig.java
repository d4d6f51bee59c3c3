package io.skep.llap.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.file.Path;
import java.time.Duration;
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
}
