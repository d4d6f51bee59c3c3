package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway.Init") // JUnit assigns the field
final class TestUserFile {
    /** The hash of {@code secret} by the crypt function of the C library, at the cost that Apache's tool uses. */
    private static final String OF_CRYPT = "$2y$05$0d/TBuvf9ntAEEYCkKRfv.UxRfS1s6xoCMR2TaSYDe0yvLaLP8a3.";

    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void name() {
        path = folder.resolve("users");
    }

    private void write(String text) throws IOException {
        Files.writeString(path, text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void usersAreThoseOfTheLastChange() throws IOException {
        UserFile file = new UserFile(path);
        assertThatThrownBy(file::read).isInstanceOf(IOException.class);
        String hash = PasswordHash.of("secret");
        file.change(users -> users.put("ann", hash));
        file.change(users -> users.put("bob", PasswordHash.of("x")));
        file.change(users -> users.remove("bob"));
        assertThat(file.read()).containsExactly(java.util.Map.entry("ann", hash));
        assertThat(Files.getPosixFilePermissions(path)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.readString(path)).doesNotContain("secret");
    }

    @Test
    void aChangeThatFailsChangesNothing() throws IOException {
        UserFile file = new UserFile(path);
        file.change(users -> users.put("ann", OF_CRYPT));
        // A process that died before its rename leaves this file.
        Files.writeString(folder.resolve("users.new"), "half of a li");
        assertThatThrownBy(() -> file.change(users -> {
                    users.clear();
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(file.read()).containsOnlyKeys("ann");
        file.change(users -> users.put("bob", OF_CRYPT));
        assertThat(file.read()).containsOnlyKeys("ann", "bob");
        assertThat(folder.resolve("users.new")).doesNotExist();
    }

    @Test
    void readersSeeWholeFilesDuringChanges() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> changes = new ArrayList<>();
            Object oneJvmHoldsALockOnce = new Object();
            for (int i = 0; i < 40; i++) {
                String name = "user" + i;
                changes.add(threads.submit(() -> {
                    synchronized (oneJvmHoldsALockOnce) {
                        new UserFile(path).change(users -> users.put(name, OF_CRYPT));
                    }
                    return null;
                }));
                changes.add(threads.submit(() -> Files.exists(path) ? new UserFile(path).read() : null));
            }
            for (Future<?> change : changes) {
                change.get();
            }
        }
        assertThat(new UserFile(path).read()).hasSize(40);
    }

    @Test
    void commentsAreKeptAndOthersMayNotRead() throws IOException {
        write("# users\n\nann:" + OF_CRYPT + "\n");
        assertThat(new UserFile(path).read()).containsOnlyKeys("ann");
        new UserFile(path).change(users -> users.put("bob", OF_CRYPT));
        assertThat(Files.readString(path)).startsWith("# users\nann:");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> new UserFile(path).read())
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("open to other users");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann",
                "ann:",
                ":" + OF_CRYPT,
                "ann:secret",
                "ann:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=",
                "ann:" + OF_CRYPT + "x",
                "ann:" + OF_CRYPT + "\nann:" + OF_CRYPT
            })
    void wrongLinesAreNamedButNotShown(String line) throws IOException {
        write("bob:" + OF_CRYPT + "\n" + line + "\n");
        assertThatThrownBy(() -> new UserFile(path).read())
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("line ")
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("$2y$");
    }

    @Test
    void hashesOfOthersAreRead() {
        assertThat(PasswordHash.matches("secret", OF_CRYPT)).isTrue();
        assertThat(PasswordHash.matches("Secret", OF_CRYPT)).isFalse();
        assertThat(PasswordHash.matches("", OF_CRYPT)).isFalse();
    }

    @Test
    void passwordsThatBcryptWouldCutAreRefused() {
        String longest = "x".repeat(72);
        assertThat(PasswordHash.problem(longest)).isEmpty();
        assertThat(PasswordHash.matches(longest, PasswordHash.of(longest))).isTrue();
        assertThat(PasswordHash.problem(longest + "y")).isPresent();
        assertThat(PasswordHash.matches(longest + "y", PasswordHash.of(longest)))
                .isFalse();
        assertThat(PasswordHash.problem("a\0b")).isPresent();
        assertThat(PasswordHash.problem("")).isPresent();
        assertThat(PasswordHash.of("secret")).isNotEqualTo(PasswordHash.of("secret"));
    }
}
