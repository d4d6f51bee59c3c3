package io.skep.metastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestMetastoreConfig {
    private static final Path DATA = Path.of("/data");

    @Test
    void withoutSettingsAllIsInTheDataDirectory() {
        MetastoreConfig config = MetastoreConfig.of(Map.of(), DATA);
        assertThat(config.connectionUrl()).isEmpty();
        assertThat(config.warehouse()).isEqualTo("file:/data/warehouse");
        assertThat(config.externalWarehouse()).isEqualTo("file:/data/warehouse");
        assertThat(config.connections()).isEqualTo(10);
        assertThat(config.pollInterval()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void hivesNamesAndTheMetastoresOwnAreRead() {
        Map<String, String> hive = Map.of(
                "javax.jdo.option.ConnectionURL", " jdbc:postgresql://h/db ",
                "javax.jdo.option.ConnectionUserName", "u",
                "hive.metastore.warehouse.dir", "/wh",
                "hive.metastore.warehouse.external.dir", "hdfs://n/ext",
                "datanucleus.connectionPool.maxPoolSize", "4",
                "hive.notification.event.poll.interval", "400ms");
        MetastoreConfig config = MetastoreConfig.of(hive, DATA);
        assertThat(config.connectionUrl()).contains("jdbc:postgresql://h/db");
        assertThat(config.user()).contains("u");
        assertThat(config.password()).isEmpty();
        assertThat(config.warehouse()).isEqualTo("file:/wh");
        assertThat(config.externalWarehouse()).isEqualTo("hdfs://n/ext");
        assertThat(config.connections()).isEqualTo(4);
        assertThat(config.pollInterval()).isEqualTo(Duration.ofMillis(400));
        assertThat(MetastoreConfig.of(Map.of("metastore.warehouse.dir", "s3a://b/w"), DATA)
                        .warehouse())
                .isEqualTo("s3a://b/w");
    }

    @Test
    void foldersWithoutASchemeAreOfTheDefaultFileSystem() {
        String hdfs = "hdfs://name:8020/";
        MetastoreConfig hive = MetastoreConfig.of(Map.of("fs.defaultFS", hdfs), DATA);
        assertThat(hive.warehouse()).isEqualTo("hdfs://name:8020/user/hive/warehouse");
        assertThat(hive.defaultFileSystem().qualified("/a")).isEqualTo("hdfs://name:8020/a");
        MetastoreConfig own = MetastoreConfig.of(
                Map.of(
                        "fs.defaultFS", hdfs,
                        "hive.metastore.warehouse.dir", "/wh",
                        "hive.metastore.warehouse.external.dir", "file:/ext"),
                DATA);
        assertThat(own.warehouse()).isEqualTo("hdfs://name:8020/wh");
        assertThat(own.externalWarehouse()).isEqualTo("file:/ext");
        assertThat(MetastoreConfig.of(Map.of("fs.defaultFS", "file:///"), DATA).warehouse())
                .isEqualTo("file:/data/warehouse");
    }

    @Test
    void theNotificationLogIsBelievedWhenHivesListenerWritesIt() {
        String writer = "org.apache.hive.hcatalog.listener.DbNotificationListener";
        assertThat(told("hive.metastore.transactional.event.listeners", writer)).isTrue();
        assertThat(told("metastore.transactional.event.listeners", "a.Other, " + writer))
                .isTrue();
        assertThat(told("hive.metastore.event.listeners", writer + ",a.Other")).isTrue();
        assertThat(told("hive.metastore.transactional.event.listeners", "a.NotDbNotificationListener"))
                .isFalse();
        assertThat(told("fs.defaultFS", "file:///")).isFalse();
    }

    private static boolean told(String setting, String value) {
        return MetastoreConfig.of(Map.of(setting, value), DATA).allChangesNotified();
    }

    @Test
    void durationsHaveHivesUnits() {
        assertThat(interval("5")).isEqualTo(Duration.ofSeconds(5));
        assertThat(interval("2 min")).isEqualTo(Duration.ofMinutes(2));
        assertThat(interval("1h")).isEqualTo(Duration.ofHours(1));
    }

    private static Duration interval(String text) {
        return MetastoreConfig.of(Map.of("hive.notification.event.poll.interval", text), DATA)
                .pollInterval();
    }

    @Test
    void badValuesAreRefused() {
        for (Map.Entry<String, String> bad : Map.of(
                        "datanucleus.connectionPool.maxPoolSize", "1",
                        "metastore.notification.event.poll.interval", "0s",
                        "fs.defaultFS", "name:8020",
                        "hive.notification.event.poll.interval", "soon",
                        "hive.txn.timeout", "999ms",
                        "metastore.txn.timeout", "soon",
                        "metastore.acid.housekeeper.interval", "0",
                        "hive.metastore.acid.txn.cleaner.interval", "0")
                .entrySet()) {
            assertThatThrownBy(() -> MetastoreConfig.of(Map.of(bad.getKey(), bad.getValue()), DATA))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION));
        }
    }
}
