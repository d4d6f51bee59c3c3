package io.skep.llap.client.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestAuditFiles {
    private static final String NINE = "12345678\n";

    @TempDir
    private Path folder;

    private AuditFiles open() throws IOException {
        return AuditFiles.open(folder.resolve("audit"), 20, 3);
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve("audit").resolve(name));
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("audit"))) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    @Test
    void appendsRotatesAndDeletesTheOldest() throws IOException {
        try (AuditFiles files = open()) {
            for (int i = 0; i < 7; i++) {
                files.append((i + NINE.substring(1)).getBytes(UTF_8));
            }
        }
        assertThat(names()).containsExactlyInAnyOrder("audit.lock", "audit.log", "audit-2.log", "audit-3.log");
        assertThat(text("audit-2.log")).isEqualTo("22345678\n32345678\n");
        assertThat(text("audit-3.log")).isEqualTo("42345678\n52345678\n");
        assertThat(text("audit.log")).isEqualTo("62345678\n");
        assertThat(names())
                .allSatisfy(name -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                                folder.resolve("audit").resolve(name))))
                        .isEqualTo("rw-------"));
        try (AuditFiles files = open()) {
            files.append(NINE.getBytes(UTF_8));
            files.append("x".repeat(100).concat("\n").getBytes(UTF_8));
        }
        assertThat(text("audit-4.log")).isEqualTo("62345678\n" + NINE);
        assertThat(text("audit.log")).hasSize(101);
    }

    /** A process that was killed may have left a part of a line, for which no statement runs. */
    @Test
    void removesAPartOfALine() throws IOException {
        try (AuditFiles files = open()) {
            files.append(NINE.getBytes(UTF_8));
        }
        Path current = folder.resolve("audit").resolve("audit.log");
        Files.writeString(current, "y".repeat(20_000), StandardOpenOption.APPEND);
        try (AuditFiles files = open()) {
            files.append("z\n".getBytes(UTF_8));
        }
        assertThat(text("audit.log")).isEqualTo(NINE + "z\n");
        Files.writeString(current, "no end");
        try (AuditFiles files = open()) {
            files.append("z\n".getBytes(UTF_8));
        }
        assertThat(text("audit.log")).isEqualTo("z\n");
    }

    /** Other programs that collect logs move or delete the file. */
    @Test
    void noticesThatTheFileWasMovedAway() throws IOException {
        Path current = folder.resolve("audit").resolve("audit.log");
        try (AuditFiles files = open()) {
            files.append("a\n".getBytes(UTF_8));
            Files.move(current, folder.resolve("taken"));
            Awaitility.await().ignoreExceptions().untilAsserted(() -> {
                files.append("b\n".getBytes(UTF_8));
                assertThat(current).exists();
            });
        }
        assertThat(Files.readString(folder.resolve("taken"))).startsWith("a\n").matches("a\n(b\n)*");
        assertThat(text("audit.log")).matches("(b\n)+");
    }

    @Test
    void belongsToOneServer() throws IOException {
        try (AuditFiles _ = open()) {
            assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("another server");
        }
        open().close();
    }

    /** The permissions of a folder that the site has made are the site's. */
    @Test
    void leavesAFolderAsItIs() throws IOException {
        Files.createDirectory(
                folder.resolve("audit"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
        open().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("audit"))))
                .isEqualTo("rwxr-x---");
    }
}
