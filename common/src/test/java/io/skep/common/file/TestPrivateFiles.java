package io.skep.common.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestPrivateFiles {
    @TempDir
    private Path folder;

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void foldersAndFilesOfOneUser() throws IOException {
        Path made = PrivateFiles.createDirectories(folder.resolve("a/b"));
        assertThat(mode(made)).isEqualTo("rwx------");
        assertThat(mode(folder.resolve("a"))).isEqualTo("rwx------");
        try (FileChannel channel =
                PrivateFiles.open(made.resolve("f"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            assertThat(channel.isOpen()).isTrue();
        }
        assertThat(mode(made.resolve("f"))).isEqualTo("rw-------");
        assertThat(mode(PrivateFiles.create(made.resolve("g")))).isEqualTo("rw-------");
        assertThat(PrivateFiles.isPrivate(made.resolve("g"))).isTrue();
    }

    @Test
    void whatWasOpenIsClosed() throws IOException {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path file = Files.writeString(open.resolve("f"), "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(PrivateFiles.isPrivate(file)).isFalse();
        PrivateFiles.restrict(open);
        assertThat(mode(open)).isEqualTo("rwx------");
        assertThat(mode(file)).isEqualTo("rw-------");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwx---"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
        assertThat(PrivateFiles.isPrivate(file)).isFalse();
        assertThat(mode(PrivateFiles.createDirectories(open))).isEqualTo("rwx------");
        assertThat(mode(PrivateFiles.create(file))).isEqualTo("rw-------");
        assertThat(Files.readString(file)).isEqualTo("x");
    }
}
