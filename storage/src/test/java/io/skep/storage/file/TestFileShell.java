package io.skep.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what commands print, and the limits of that. */
class TestFileShell {
    @TempDir
    Path folder;

    private final FileShell shell = new HadoopFileSystem(new Configuration()).shell();

    private String path(String name) {
        return "file:" + folder.resolve(name);
    }

    private static StandardErrorCode code(Runnable call) {
        return catchThrowableOfType(SkepException.class, call::run).code();
    }

    @Test
    void printsAndChangesFiles() throws Exception {
        Files.writeString(folder.resolve("a"), "one\ntwö\n");
        assertThat(shell.run("-cat", List.of(path("a"))).output()).isEqualTo("one\ntwö\n");
        assertThat(shell.run("-cp", List.of(path("a"), path("b")))).isEqualTo(new FileShell.Result(0, "", ""));
        assertThat(shell.run("-ls", List.of("-C", path(""))).output().lines())
                .containsExactlyInAnyOrder("file://" + folder.resolve("a"), "file://" + folder.resolve("b"));
        assertThat(shell.run("-rm", List.of("-skipTrash", path("a"))).status()).isEqualTo(0);
        assertThat(folder.toFile().list()).containsExactly("b");
    }

    @Test
    void failuresHaveAStatusAndAReason() {
        FileShell.Result missing = shell.run("-cat", List.of(path("none")));
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.errors()).contains("No such file or directory");
        assertThat(shell.run("-test", List.of("-e", path("none")))).isEqualTo(new FileShell.Result(1, "", ""));
        assertThat(shell.run("-ls", List.of("-wrong", path("none"))).status()).isEqualTo(-1);
        assertThat(code(() -> shell.run("-nosuch", List.of()))).isEqualTo(StandardErrorCode.NOT_SUPPORTED);
    }

    @Test
    void outputIsBounded() throws Exception {
        Files.write(folder.resolve("fits"), new byte[FileShell.MAX_OUTPUT_BYTES]);
        Files.write(folder.resolve("large"), new byte[FileShell.MAX_OUTPUT_BYTES + 1]);
        assertThat(shell.run("-cat", List.of(path("fits"))).output()).hasSize(FileShell.MAX_OUTPUT_BYTES);
        assertThat(code(() -> shell.run("-cat", List.of(path("large")))))
                .isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED);
        String[] many = new String[5_000];
        Arrays.setAll(many, i -> path("none" + i));
        assertThat(shell.run("-cat", List.of(many)).errors().length()).isBetween(1_000, 8 << 10);
    }

    @Test
    void anInterruptStopsWhatPrints() throws Exception {
        Files.writeString(folder.resolve("a"), "x");
        Thread.currentThread().interrupt();
        try {
            assertThat(code(() -> shell.run("-cat", List.of(path("a")))))
                    .isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void patternsMatchABoundedNumber() throws Exception {
        for (String name : List.of("a1", "a2", "b1")) {
            Files.createFile(folder.resolve(name));
        }
        assertThat(shell.matches(path("a*"), 2)).containsExactly(path("a1"), path("a2"));
        assertThat(shell.matches(path("{a1,b?}"), 2)).containsExactly(path("a1"), path("b1"));
        assertThat(shell.matches(path("c*"), 2)).isEmpty();
        assertThat(code(() -> shell.matches(path("*"), 2))).isEqualTo(StandardErrorCode.INVALID_ARGUMENT);
    }
}
