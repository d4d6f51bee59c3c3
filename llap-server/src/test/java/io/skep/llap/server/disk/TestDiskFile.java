package io.skep.llap.server.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestDiskFile {
    @TempDir
    Path folder;

    @Test
    void readsWhatWasWrittenWhereItWasWritten() throws IOException {
        try (DiskFile file = DiskFile.create(folder.resolve("f"))) {
            file.write(ByteBuffer.wrap(new byte[] {4, 5, 6}), 3);
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
            assertThat(file.read(1, 4)).containsExactly(2, 3, 4, 5);
            assertThat(file.read(4, 3)).isNull();
            assertThat(file.read(100, 1)).isNull();
        }
    }

    @Test
    void nothingIsThereBeforeAndAfter() throws IOException {
        Path path = folder.resolve("f");
        Files.write(path, new byte[] {1});
        DiskFile file = DiskFile.create(path);
        assertThat(file.read(0, 1)).isNull();
        file.close();
        assertThat(path).doesNotExist();
        assertThatThrownBy(() -> file.read(0, 1)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void wantsItsFolder() {
        assertThatThrownBy(() -> DiskFile.create(folder.resolve("none").resolve("f")))
                .isInstanceOf(IOException.class);
    }
}
