package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.DefaultFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the same tests on local paths and through a Hadoop file system, here Hadoop's local file system under another
 * scheme.
 */
final class TestWarehouseFiles {
    private static final String HOME = "test.home";

    private final WarehouseFiles files = new WarehouseFiles(
            DefaultFileSystem.LOCAL, Map.of("fs.raw.impl", RawLocalUnderAnotherScheme.class.getName()));

    static Stream<String> schemes() {
        return Stream.of("file:", "file://", "raw:");
    }

    /** Hadoop's local file system under the scheme {@code raw}. */
    public static final class RawLocalUnderAnotherScheme extends org.apache.hadoop.fs.RawLocalFileSystem {
        @Override
        public java.net.URI getUri() {
            return java.net.URI.create("raw:///");
        }

        @Override
        public String getScheme() {
            return "raw";
        }

        @Override
        public org.apache.hadoop.fs.Path getHomeDirectory() {
            return makeQualified(new org.apache.hadoop.fs.Path(getConf().get(HOME, "/nowhere")));
        }
    }

    @Test
    void discardedFoldersGoToTheTrashWhereThereIsOne(@TempDir Path folder) throws IOException {
        Map<String, String> site = Map.of(
                "fs.raw.impl",
                RawLocalUnderAnotherScheme.class.getName(),
                "fs.raw.impl.disable.cache",
                "true",
                HOME,
                folder + "/home",
                "fs.trash.interval",
                "60");
        WarehouseFiles kept = new WarehouseFiles(DefaultFileSystem.LOCAL, site);
        String table = "raw:" + folder + "/t";
        Path trash = folder.resolve("home/.Trash/Current" + folder + "/t");
        for (int round = 0; round < 2; round++) {
            kept.makeFolder(table);
            Files.writeString(folder.resolve("t/data"), "123");
            kept.discard(table);
            assertThat(folder.resolve("t")).doesNotExist();
        }
        assertThat(trash.resolve("data")).hasContent("123");
        // The second table of the same name is next to the first.
        try (Stream<Path> tables = Files.list(trash.getParent())) {
            assertThat(tables).hasSize(2);
        }
        kept.discard(table);
        files.makeFolder(table);
        files.discard(table);
        assertThat(folder.resolve("t")).doesNotExist();
        try (Stream<Path> tables = Files.list(trash.getParent())) {
            assertThat(tables).hasSize(2);
        }
    }

    /** As in Hive, a table without trash is better than a table that cannot be dropped. */
    @Test
    void whatTheTrashDoesNotTakeIsDeleted(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("home"), "not a folder");
        WarehouseFiles kept = new WarehouseFiles(
                DefaultFileSystem.LOCAL,
                Map.of(
                        "fs.raw.impl",
                        RawLocalUnderAnotherScheme.class.getName(),
                        "fs.raw.impl.disable.cache",
                        "true",
                        HOME,
                        folder + "/home",
                        "fs.trash.interval",
                        "60"));
        kept.makeFolder("raw:" + folder + "/t");
        kept.discard("raw:" + folder + "/t");
        assertThat(folder.resolve("t")).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void foldersAreMadeAndDeleted(String scheme, @TempDir Path folder) throws IOException {
        String root = scheme + folder;
        assertThat(files.makeFolder(root + "/a/b=100%25")).isTrue();
        assertThat(files.makeFolder(root + "/a/b=100%25")).isFalse();
        assertThat(folder.resolve("a/b=100%25")).isDirectory();
        Files.writeString(folder.resolve("a/b=100%25/data"), "123");
        files.deleteEmpty(root + "/a");
        assertThat(files.exists(root + "/a")).isTrue();
        files.delete(root + "/a/b=100%25");
        assertThat(files.exists(root + "/a/b=100%25")).isFalse();
        files.deleteEmpty(root + "/a");
        assertThat(folder.resolve("a")).doesNotExist();
        files.delete(root + "/nothing");
        files.deleteEmpty(root + "/nothing");
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void figuresLeaveHiddenFilesOut(String scheme, @TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("t/sub"));
        Files.createDirectories(folder.resolve("t/_temporary"));
        Files.writeString(folder.resolve("t/one"), "123");
        Files.writeString(folder.resolve("t/sub/two"), "45");
        Files.writeString(folder.resolve("t/.hidden"), "xxxxxx");
        Files.writeString(folder.resolve("t/_temporary/three"), "xxxxxx");
        assertThat(files.stats(scheme + folder + "/t")).isEqualTo(new WarehouseFiles.Figures(2, 5));
        assertThat(files.stats(scheme + folder + "/none")).isEqualTo(WarehouseFiles.Figures.NONE);
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void failuresNameTheLocation(String scheme, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("file"), "x");
        String below = scheme + folder + "/file/folder";
        assertThatThrownBy(() -> files.makeFolder(below)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
            assertThat(e.getMessage()).contains(below);
        });
    }
}
