package io.skep.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that local renames never replace a file, in any order. */
final class TestLocalRenames {
    private static final int ROUNDS = 2_000;

    @TempDir
    Path folder;

    private final LocalRenames renames = new LocalRenames();

    /** Two file systems, as in two processes. A lock of one does not affect the other. */
    private final List<HadoopFileSystem> systems =
            List.of(new HadoopFileSystem(new Configuration(false)), new HadoopFileSystem(new Configuration(false)));

    @Test
    void oneOfTwoRenamesToANameSucceeds() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < ROUNDS; round++) {
                Path target = folder.resolve("target" + round);
                List<Future<Boolean>> renamed = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    HadoopFileSystem system = systems.get(i);
                    Path source = Files.writeString(folder.resolve("source" + round + "-" + i), "row" + i);
                    renamed.add(threads.submit(() -> {
                        start.await();
                        return isRenamed(system, source, target);
                    }));
                }
                boolean first = renamed.get(0).get();
                boolean second = renamed.get(1).get();
                assertThat(first).as("round %s", round).isNotEqualTo(second);
                assertThat(target).hasContent(first ? "row0" : "row1");
                assertThat(folder.resolve("source" + round + "-" + (first ? 1 : 0)))
                        .hasContent(first ? "row1" : "row0");
            }
        }
    }

    private static boolean isRenamed(HadoopFileSystem system, Path source, Path target) {
        try {
            system.rename("file:" + source, "file:" + target);
            return true;
        } catch (SkepException e) {
            return false;
        }
    }

    @Test
    void replacesNeitherFilesNorFoldersNorLinks() throws IOException {
        Path from = Files.writeString(folder.resolve("from"), "new");
        Path file = Files.writeString(folder.resolve("file"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
        Path empty = Files.createDirectory(folder.resolve("empty"));
        for (Path to : List.of(file, link, empty)) {
            assertThatThrownBy(() -> renames.rename(from, to)).isInstanceOf(FileAlreadyExistsException.class);
        }
        Path source = Files.createDirectory(folder.resolve("folder"));
        assertThatThrownBy(() -> renames.rename(source, empty)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(from).hasContent("new");
        assertThat(file).hasContent("old");
        assertThat(source).isDirectory();
    }

    @Test
    void renamesFilesOfAnyNameAndFolders() throws IOException {
        for (String name : List.of("a b", "%41", "\u00e9\u6f22", "tab\t", "-rf")) {
            Path from = Files.writeString(folder.resolve("x"), name);
            renames.rename(from, folder.resolve(name));
            assertThat(folder.resolve(name)).hasContent(name);
            assertThat(from).doesNotExist();
        }
        Path source = Files.createDirectory(folder.resolve("in"));
        Files.writeString(source.resolve("f"), "row");
        renames.rename(source, folder.resolve("out"));
        assertThat(folder.resolve("out/f")).hasContent("row");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).hasSize(6);
        }
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> renames.rename(folder.resolve("nothing"), folder.resolve("x")))
                .isInstanceOf(NoSuchFileException.class);
    }
}
