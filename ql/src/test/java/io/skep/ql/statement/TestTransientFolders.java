package io.skep.ql.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of writes that have failed, with somebody who writes on. */
final class TestTransientFolders {
    @TempDir
    private Path folder;

    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private TransientFolders started() {
        TransientFolders folders = new TransientFolders(
                folder.resolve("notes"),
                new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20)),
                () -> now);
        folders.clear();
        return folders;
    }

    private void write(String staging) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve(staging)).resolve("0"), "rows");
    }

    private String path(String staging) {
        return "file:" + folder.resolve(staging);
    }

    private void assertNotes(int count) throws IOException {
        try (Stream<Path> notes = Files.list(folder.resolve("notes"))) {
            assertThat(notes).hasSize(count);
        }
    }

    @Test
    void whatComesAfterTheFailureGoesWithALaterFolder() throws IOException {
        TransientFolders folders = started();
        folders.note(path("failed"));
        write("failed");
        folders.abandon(path("failed"));
        assertThat(folder.resolve("failed")).doesNotExist();

        // Written by one who knows nothing of the failure.
        write("failed");
        end(folders, "soon");
        assertThat(folder.resolve("failed")).exists();
        now = now.plus(Duration.ofHours(1));
        end(folders, "late");
        assertThat(folder.resolve("failed")).doesNotExist();
        assertNotes(0);
    }

    private void end(TransientFolders folders, String staging) throws IOException {
        folders.note(path(staging));
        write(staging);
        folders.delete(path(staging));
        assertThat(folder.resolve(staging)).doesNotExist();
    }

    @Test
    void whatComesAfterTheFailureGoesWithTheNextStart() throws IOException {
        TransientFolders folders = started();
        folders.note(path("failed"));
        folders.abandon(path("failed"));
        write("failed");
        assertNotes(1);
        started();
        assertThat(folder.resolve("failed")).doesNotExist();
        assertNotes(0);
    }
}
