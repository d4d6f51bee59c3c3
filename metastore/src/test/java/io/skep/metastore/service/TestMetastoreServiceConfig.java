package io.skep.metastore.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.cli.CommandRunner;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TestMetastoreServiceConfig {
    private static final Path DATA = Path.of("/data");

    @Test
    void listensOnTheLoopbackByDefault() {
        MetastoreServiceConfig config = MetastoreServiceConfig.of(Map.of(), DATA);
        assertThat(config.host()).isEqualTo("127.0.0.1");
        assertThat(config.port()).isEqualTo(9083);
        assertThat(config.metastore().warehouse()).isEqualTo("file:/data/warehouse");
    }

    @Test
    void hivesNamesAndTheMetastoresOwnAreRead() {
        Map<String, String> hive = Map.of("hive.metastore.port", "4", "hive.metastore.thrift.bind.host", "localhost");
        Map<String, String> own = Map.of("metastore.thrift.port", "4", "metastore.thrift.bind.host", "localhost");
        for (Map<String, String> site : List.of(hive, own)) {
            MetastoreServiceConfig config = MetastoreServiceConfig.of(site, DATA);
            assertThat(config.port()).isEqualTo(4);
            assertThat(config.host()).isEqualTo("localhost");
        }
    }

    @Test
    void listensBeyondTheLoopbackOnlyWhenTold() {
        assertThat(MetastoreServiceConfig.of(
                                Map.of(
                                        "hive.metastore.thrift.bind.host", "0.0.0.0",
                                        "skep.metastore.insecure-listen", "true"),
                                DATA)
                        .host())
                .isEqualTo("0.0.0.0");
        assertRefused(
                Map.of(
                        "hive.metastore.thrift.bind.host", "0.0.0.0",
                        "skep.server.insecure-listen", "true"),
                "skep.metastore.insecure-listen");
    }

    @ParameterizedTest
    @CsvSource({
        "hive.metastore.rawstore.impl, org.apache.hadoop.hive.metastore.cache.CachedStore",
        "metastore.rawstore.impl, org.apache.hadoop.hive.metastore.cache.CachedStore",
        "hive.metastore.server.thrift.transport.mode, http",
        "hive.metastore.properties.servlet.port, 9001",
    })
    void whatWouldBeStaleOrOpenIsRefused(String name, String value) {
        assertRefused(Map.of(name, value), value);
    }

    private static void assertRefused(Map<String, String> site, String named) {
        assertThatThrownBy(() -> MetastoreServiceConfig.of(site, DATA))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining(named);
    }

    @Test
    void theCommandLineComesBeforeTheServersSiteFiles(@TempDir Path conf) throws IOException {
        Files.writeString(
                conf.resolve("hive-site.xml"),
                "<configuration><property><name>javax.jdo.option.ConnectionURL</name>"
                        + "<value>jdbc:postgresql://h/db</value></property><property>"
                        + "<name>hive.metastore.port</name><value>4</value></property></configuration>");
        MetastoreServiceConfig config = MetastoreServiceConfig.of(CommandRunner.parse(
                new MetastoreArguments(), "--conf", conf.toString(), "--port", "5", "--host", "::1"));
        assertThat(config.port()).isEqualTo(5);
        assertThat(config.host()).isEqualTo("::1");
        assertThat(config.metastore().connectionUrl()).contains("jdbc:postgresql://h/db");
    }
}
