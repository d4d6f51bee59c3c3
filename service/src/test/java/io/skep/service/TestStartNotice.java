package io.skep.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TestStartNotice {
    private static final String JDBC = "jdbc:hive2://127.0.0.1:10000/default";
    private static final String PAGE = "http://127.0.0.1:10002/";

    @Test
    void aServerOnTheUsualFolderIsFoundWithoutOptions() {
        Path data = Path.of(System.getProperty("skep.home", ""), "data")
                .toAbsolutePath()
                .normalize();
        List<String> lines = new StartNotice(JDBC, PAGE, data, Optional.empty()).lines();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).endsWith(JDBC);
        assertThat(lines.get(1)).endsWith(PAGE);
        assertThat(lines.get(2)).endsWith(data.toString());
        assertThat(lines.get(3)).contains("standard error", "SKEP_LOG_DIR");
        assertThat(lines.get(4)).contains("bin/skep beeline ").doesNotContain("--data");
    }

    @Test
    void aServerOnAnotherFolderIsFoundByIt() {
        List<String> lines = new StartNotice(JDBC, PAGE, Path.of("/var/skep"), Optional.of("/var/log/skep")).lines();
        assertThat(lines.get(3)).endsWith("/var/log/skep");
        assertThat(lines.get(4)).contains("beeline --data /var/skep ", "stop --data /var/skep,");
    }
}
