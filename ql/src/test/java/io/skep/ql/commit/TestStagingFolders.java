package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests folders of failed writes into which some attempt still writes. */
final class TestStagingFolders {
    @TempDir
    private Path folder;

    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private StagingFolders started() {
        StagingFolders folders = new StagingFolders(
                folder.resolve("notes"),
                new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20)),
                () -> now);
        folders.clear(Set.of());
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
        StagingFolders folders = started();
        folders.note(path("failed"));
        write("failed");
        folders.abandon(path("failed"));
        assertThat(folder.resolve("failed")).doesNotExist();

        // Simulates an attempt that has not learned of the failure.
        write("failed");
        end(folders, "soon");
        assertThat(folder.resolve("failed")).exists();
        now = now.plus(Duration.ofHours(1));
        end(folders, "late");
        assertThat(folder.resolve("failed")).doesNotExist();
        assertNotes(0);
    }

    private void end(StagingFolders folders, String staging) throws IOException {
        folders.note(path(staging));
        write(staging);
        folders.delete(path(staging));
        assertThat(folder.resolve(staging)).doesNotExist();
    }

    @Test
    void whatAnAttemptWritesAfterTheCommitGoesWithALaterFolder() throws IOException {
        StagingFolders folders = started();
        folders.note(path("committed"));
        write("committed");
        folders.deleteCommitted(path("committed"));
        assertThat(folder.resolve("committed")).doesNotExist();
        assertNotes(0);

        // Simulates an attempt for which the commit did not wait.
        write("committed");
        now = now.plus(Duration.ofHours(1));
        end(folders, "late");
        assertThat(folder.resolve("committed")).doesNotExist();
        assertNotes(0);
    }

    @Test
    void foldersOfCommitsThatAreNotOverStay() throws IOException {
        StagingFolders folders = started();
        folders.note(path("wanted"));
        write("wanted");
        folders.clear(Set.of(path("wanted")));
        assertThat(folder.resolve("wanted/0")).exists();
        assertNotes(1);
    }

    @Test
    void whatComesAfterTheFailureGoesWithTheNextStart() throws IOException {
        StagingFolders folders = started();
        folders.note(path("failed"));
        folders.abandon(path("failed"));
        write("failed");
        assertNotes(1);
        started();
        assertThat(folder.resolve("failed")).doesNotExist();
        assertNotes(0);
    }
}
