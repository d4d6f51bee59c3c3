package io.skep.llap.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestSpillFolder {
    @Test
    void whatAKilledProcessLeftIsDeleted(@TempDir Path folder) throws IOException {
        Path query = Files.createDirectories(folder.resolve("q1").resolve("exchange"));
        Files.writeString(query.resolve("exchange-0.spill"), "rows");
        assertThat(SpillFolder.fileCount(folder)).isEqualTo(1);
        SpillFolder.clear(folder);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aMissingFolderIsEmpty(@TempDir Path folder) {
        SpillFolder.clear(folder.resolve("none"));
        assertThat(SpillFolder.fileCount(folder.resolve("none"))).isZero();
    }
}
