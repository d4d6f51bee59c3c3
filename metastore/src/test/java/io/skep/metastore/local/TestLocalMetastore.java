package io.skep.metastore.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Database;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestLocalMetastore {
    @Test
    void dataSurviveARestart(@TempDir Path folder) {
        MetastoreConfig config = MetastoreConfig.of(Map.of(), folder);
        try (DataDirectory data = DataDirectory.open(folder);
                LocalMetastore metastore = LocalMetastore.open(config, data)) {
            metastore
                    .catalog()
                    .createDatabase(new Database("kept", Optional.empty(), "", Optional.empty(), "a", false, Map.of()));
        }
        try (DataDirectory data = DataDirectory.open(folder);
                LocalMetastore metastore = LocalMetastore.open(config, data)) {
            assertThat(metastore.catalog().databases()).containsExactly("default", "kept");
        }
    }

    private static MetastoreConfig byUrl(Path folder) {
        String url = "jdbc:derby:;databaseName=" + folder.resolve("metastore") + ";create=true";
        return MetastoreConfig.of(Map.of("javax.jdo.option.ConnectionURL", url), folder);
    }

    @Test
    void embeddedDatabaseMayBeNamedByItsUrl(@TempDir Path folder) {
        MetastoreConfig config = MetastoreConfig.of(Map.of(), folder);
        try (DataDirectory data = DataDirectory.open(folder)) {
            LocalMetastore.open(config, data).close();
            try (LocalMetastore metastore = LocalMetastore.open(byUrl(folder), data)) {
                assertThat(metastore.catalog().databases()).containsExactly("default");
            }
        }
    }

    @Test
    void secondStartOnTheSameFolderIsRefused(@TempDir Path folder) {
        try (DataDirectory first = DataDirectory.open(folder)) {
            assertThatThrownBy(() -> DataDirectory.open(folder)).isInstanceOfSatisfying(SkepException.class, e -> {
                assertThat(e.code()).isEqualTo(StandardErrorCode.DATA_DIRECTORY_IN_USE);
                assertThat(e.getMessage()).contains(first.path().toString());
            });
        }
        DataDirectory.open(folder).close();
    }

    @Test
    void committedDataSurviveAKill(@TempDir Path folder) throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "--add-opens=java.base/java.net=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledServer.class.getName(),
                        folder.toString())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        try (BufferedReader lines = server.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("made");
            assertThatThrownBy(() -> DataDirectory.open(folder))
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.getMessage()).contains("process " + server.pid()));
            // A server that is configured with the database's URL, as a Hive site does, cannot open it either.
            MetastoreConfig told = byUrl(folder);
            try (DataDirectory other = DataDirectory.open(folder.resolve("other"))) {
                assertThatThrownBy(() -> LocalMetastore.open(told, other))
                        .isInstanceOfSatisfying(
                                SkepException.class,
                                e -> assertThat(e.code()).isEqualTo(StandardErrorCode.DATA_DIRECTORY_IN_USE));
            }
        } finally {
            server.destroyForcibly().waitFor();
        }
        try (DataDirectory data = DataDirectory.open(folder);
                LocalMetastore metastore = LocalMetastore.open(MetastoreConfig.of(Map.of(), folder), data)) {
            assertThat(metastore.catalog().databases()).containsExactly("default", "survivor");
        }
    }
}
