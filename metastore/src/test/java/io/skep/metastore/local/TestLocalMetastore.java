package io.skep.metastore.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Database;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
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
}
