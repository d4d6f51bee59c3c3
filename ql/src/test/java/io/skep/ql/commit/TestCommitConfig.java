package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestCommitConfig {
    @ParameterizedTest
    @ValueSource(strings = {"s3a://bucket/t", "abfs://files@account/t", "gs://bucket/t", "/t", "files:/t"})
    void writesAreRefusedWhereARenameMayBeACopy(String place) {
        assertThatThrownBy(() -> CommitConfig.DEFAULT.checkRenames(place))
                .isInstanceOfSatisfying(SkepException.class, e -> {
                    assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED);
                    assertThat(e.fullMessage()).contains(place, "skep.commit.rename-schemes");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:/t", "hdfs://node:8020/t", "viewfs://cluster/t", "ofs://service/t"})
    void renamesOfTheseAreOneStep(String place) {
        assertThatCode(() -> CommitConfig.DEFAULT.checkRenames(place)).doesNotThrowAnyException();
    }

    @Test
    void aSiteNamesItsOwn() {
        CommitConfig config = CommitConfig.of(new SettingsReader(Map.of("skep.commit.rename-schemes", "file, cephfs")));
        assertThatCode(() -> config.checkRenames("cephfs://c/t")).doesNotThrowAnyException();
        assertThatThrownBy(() -> config.checkRenames("hdfs://node/t")).isInstanceOf(SkepException.class);
    }
}
