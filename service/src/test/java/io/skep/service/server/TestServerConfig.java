package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReference;
import io.skep.common.error.SkepException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class TestServerConfig {
    @Test
    void referenceInConfIsThatOfTheCode() throws Exception {
        Path home = Path.of(Objects.requireNonNull(System.getProperty("skep.home"), "skep.home is not set"));
        assertThat(Files.readString(home.resolve("conf/server-settings.md")))
                .endsWith(SettingsReference.table(ServerConfig.PROPERTIES));
    }

    @Test
    void defaultsListenOnTheLoopback() {
        assertThat(ServerConfig.of(Map.of())).isEqualTo(new ServerConfig(10000, "127.0.0.1", 10002, 100 << 20));
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        assertThatThrownBy(() ->
                        ServerConfig.of(Map.of("hive.server2.thrift.port", "x", "hive.server2.webui.port", "65536")))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("hive.server2.thrift.port")
                .hasMessageContaining("hive.server2.webui.port");
    }

    @Test
    void optionsGoBeforeSiteFiles() {
        assertThat(ServerOptions.parse("--port", "0", "--ui-port", "7").uiPort())
                .isEqualTo(7);
        assertThatThrownBy(() -> ServerOptions.parse("--port", "many")).isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> ServerOptions.parse("--colour", "red")).isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> ServerOptions.parse("--port")).isInstanceOf(SkepException.class);
    }
}
