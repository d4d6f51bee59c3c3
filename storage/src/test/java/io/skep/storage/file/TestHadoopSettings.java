package io.skep.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestHadoopSettings {
    private static final String WITHOUT_ANSWER = "ipc.client.connect.max.retries.on.timeouts";

    @Test
    void aNameNodeThatDoesNotAnswerIsGivenUpWithinAMinute() {
        int tries = 1 + HadoopSettings.of(Map.of()).getInt(WITHOUT_ANSWER, 45);
        int wait = HadoopSettings.of(Map.of()).getInt("ipc.client.connect.timeout", 0);
        assertThat((long) tries * wait).isPositive().isLessThanOrEqualTo(60_000);
    }

    @Test
    void theSiteGoesFirst() {
        Map<String, String> site = Map.of(WITHOUT_ANSWER, "7", "fs.defaultFS", "hdfs://name:8020");
        assertThat(HadoopSettings.of(site).getInt(WITHOUT_ANSWER, 45)).isEqualTo(7);
        assertThat(new HadoopFileSystem(HadoopSettings.of(site)).qualified("/a"))
                .isEqualTo("hdfs://name:8020/a");
        assertThat(new HadoopFileSystem(HadoopSettings.of(Map.of())).qualified("/a"))
                .isEqualTo("file:/a");
        assertThat(new HadoopFileSystem(HadoopSettings.of(site)).qualified("file:/a"))
                .isEqualTo("file:/a");
    }
}
