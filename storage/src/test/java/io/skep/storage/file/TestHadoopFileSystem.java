package io.skep.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestHadoopFileSystem {
    @TempDir
    Path folder;

    private final HadoopFileSystem files = new HadoopFileSystem(new Configuration());

    @Test
    void listsFilesBelowAFolderWithoutHiddenOnes() throws IOException {
        for (String name : List.of("b/x", "a", "b/c/y", "_tmp/z", ".hidden", "b/_success")) {
            write(name, name);
        }
        assertThat(files.listFiles(folder.toString()))
                .extracting(entry -> folder.relativize(Path.of(entry.path().substring("file:".length())))
                        .toString())
                .containsExactly("a", "b/c/y", "b/x");
        assertThat(files.listFiles(folder + "/nothing")).isEmpty();
        assertThat(Objects.requireNonNull(folder.toFile().list())).noneMatch(name -> name.endsWith(".crc"));
    }

    @Test
    void readsLocalFilesOfAnyName() throws IOException {
        for (String name : List.of("x:y", "10:30:00", ":", "a b", "%41", "*", "[a]", "tab\tx")) {
            Files.writeString(folder.resolve(name), name);
            try (FileInput in = files.open("file:" + folder + "/" + name)) {
                byte[] bytes = new byte[(int) in.length()];
                in.readFully(0, bytes, 0, bytes.length);
                assertThat(new String(bytes, StandardCharsets.UTF_8)).as(name).isEqualTo(name);
            }
            try (InputStream in = files.openDecompressed(
                    files.find("file:" + folder + "/" + name).orElseThrow().version())) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .as(name)
                        .isEqualTo(name);
            }
            files.delete("file:" + folder + "/" + name);
            assertThat(folder.resolve(name)).doesNotExist();
        }
    }

    @Test
    void listsLocalFoldersAsHadoopShowsThem() throws IOException {
        for (String name : List.of("day=1/f", "day=2/f", "x y/%20", "b", "\u00e9", ".hidden")) {
            write(name, name);
        }
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("b"));
        String plain = "file:" + folder;
        for (String listed : List.of(plain, plain + "/x y", plain + "/day=2")) {
            assertThat(LocalEntries.list(listed))
                    .as(listed)
                    .contains(files.list(listed.replace("file:/", "file:///")))
                    .contains(files.list(listed + "/"));
        }
        for (String name : List.of("b", "link", "x y/%20", "\u00e9", "day=1")) {
            String hadoop = "file:///" + folder.toString().substring(1) + "/" + name;
            assertThat(LocalEntries.find(plain + "/" + name))
                    .as(name)
                    .isPresent()
                    .isEqualTo(files.find(hadoop));
        }
        assertThat(LocalEntries.find(plain + "/nothing")).isEmpty();
        assertThat(files.list(plain + "/b")).extracting(FileEntry::path).containsExactly(plain + "/b");
        assertThat(LocalEntries.list(plain + "/b")).isEmpty();
        assertThat(LocalEntries.list(plain + "/nothing")).isEmpty();
        assertThat(files.list(plain + "/nothing")).isEmpty();
        assertThat(LocalEntries.list(plain + "/../" + folder.getFileName())).isEmpty();
    }

    @Test
    void aPathThatNoFileCanHaveIsOneThatIsNotThere() {
        String path = folder.resolve("a").toUri() + "\0b";
        assertThat(files.find(path)).isEmpty();
    }

    @Test
    void movesAndDeletes() throws IOException {
        write("a/f", "text");
        files.rename(folder + "/a", folder + "/b");
        assertThat(Files.readString(folder.resolve("b/f"))).isEqualTo("text");
        assertThat(code(() -> files.rename(folder + "/a", folder + "/c"))).isEqualTo(StandardErrorCode.MISSING_FILE);
        write("c", "other");
        assertThat(code(() -> files.rename(folder + "/c", folder + "/b")))
                .isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
        assertThat(files.delete(folder + "/b")).isTrue();
        assertThat(files.delete(folder + "/b")).isFalse();
        assertThat(files.find(folder + "/b")).isEmpty();
    }

    @Test
    void readsAtPositionsAndNoticesChanges() throws IOException {
        write("f", "0123456789");
        FileVersion version = files.status(folder + "/f").version();
        try (FileInput input = files.open(version)) {
            byte[] bytes = new byte[3];
            input.readFully(4, bytes, 0, 3);
            assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("456");
            assertThat(input.bytesRead()).isEqualTo(3);
        }
        Files.writeString(folder.resolve("f"), "other text");
        Files.setLastModifiedTime(folder.resolve("f"), FileTime.fromMillis(version.modificationTime() + 1));
        assertThat(code(() -> files.open(version))).isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
        assertThat(code(() -> files.open(folder + "/g"))).isEqualTo(StandardErrorCode.MISSING_FILE);
    }

    /** Hadoop shares file systems within a process. The first caller decides their class. */
    @Test
    void aLocalFileSystemOfOthersIsNotUsed() throws IOException, InterruptedException {
        write("f", "0123456789");
        PrivilegedExceptionAction<byte[]> reading = () -> {
            assertThat(FileSystem.get(URI.create("file:///"), new Configuration()))
                    .isNotInstanceOf(LocalFiles.class);
            byte[] bytes = new byte[10];
            try (FileInput input = files.open(files.status(folder + "/f").version())) {
                input.readFully(0, bytes, 0, bytes.length);
            }
            return bytes;
        };
        assertThat(UserGroupInformation.createRemoteUser("other").doAs(reading))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("0123456789");
    }

    @Test
    void noticesChangesThatLengthAndTimeDoNotShow() throws IOException {
        write("f", "0123456789");
        Path file = folder.resolve("f");
        FileVersion version = files.status(folder + "/f").version();
        FileTime time = Files.getLastModifiedTime(file);
        files.verify(version);
        Files.writeString(folder.resolve("g"), "another   ");
        Files.setLastModifiedTime(folder.resolve("g"), time);
        Files.move(folder.resolve("g"), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        FileVersion renamed = files.status(folder + "/f").version();
        assertThat(renamed.modificationTime()).isEqualTo(version.modificationTime());
        assertThat(renamed.length()).isEqualTo(version.length());
        assertThat(code(() -> files.verify(version))).isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
        awaitAnotherTick(file);
        Files.writeString(file, "in place  ");
        Files.setLastModifiedTime(file, time);
        FileVersion rewritten = files.status(folder + "/f").version();
        assertThat(rewritten.modificationTime()).isEqualTo(version.modificationTime());
        assertThat(rewritten.length()).isEqualTo(version.length());
        assertThat(code(() -> files.verify(renamed))).isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
        assertThat(files.listFiles(folder.toString()))
                .extracting(FileEntry::version)
                .containsExactly(rewritten);
        assertThat(files.listFiles(folder + "/f"))
                .extracting(FileEntry::version)
                .containsExactly(rewritten);
    }

    /** Waits until the file system's clock has advanced since the last change of a file. */
    private void awaitAnotherTick(Path file) throws IOException {
        Path probe = folder.resolve("_probe");
        Object before = Files.getAttribute(file, "unix:ctime");
        do {
            Files.writeString(probe, "x");
        } while (Files.getAttribute(probe, "unix:ctime").equals(before));
    }

    @Test
    void changesInOneTickDoNotShow() {
        FileVersion local = new FileVersion("file:/f", 1, 1_000_000, 5);
        assertThat(local.settledAt(1_000_020)).isFalse();
        assertThat(local.settledAt(1_000_021)).isTrue();
        FileVersion elsewhere = new FileVersion("other:/f", 1, 1_000_000);
        assertThat(elsewhere.settledAt(1_001_999)).isFalse();
        assertThat(elsewhere.settledAt(1_002_001)).isTrue();
    }

    @Test
    void identityComesFromEntityTagsAndHandles() throws IOException {
        try (TaggedFiles tagged = new TaggedFiles()) {
            Path file = folder.resolve("f");
            Files.writeString(file, "text");
            long first = FileIdentity.of(tagged, tagged.tagged(file, "a"));
            assertThat(first).isNotZero().isEqualTo(FileIdentity.of(tagged, tagged.tagged(file, "a")));
            assertThat(FileIdentity.of(tagged, tagged.tagged(file, "b"))).isNotEqualTo(first);
            long handle = FileIdentity.of(tagged, tagged.plain(file, 1));
            assertThat(handle).isNotZero().isEqualTo(FileIdentity.of(tagged, tagged.plain(file, 1)));
            assertThat(FileIdentity.of(tagged, tagged.plain(file, 2))).isNotEqualTo(handle);
            tagged.handles = false;
            assertThat(FileIdentity.of(tagged, tagged.plain(file, 1))).isZero();
        }
    }

    @Test
    void fullDisksAreNamed() throws IOException {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.isWritable(full));
        try (OutputStream out = new CheckedOutput("f", new FileOutputStream(full.toFile()))) {
            assertThat(code(() -> {
                        try {
                            out.write(1);
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }))
                    .isEqualTo(StandardErrorCode.DISK_FULL);
        }
    }

    @Test
    void splitsHaveFixedBoundaries() throws IOException {
        write("t/p/f.txt", "x".repeat(2500));
        write("t/empty", "");
        write("t/z.txt.gz", "y".repeat(2500));
        List<Split> splits = new SplitEnumerator(files, 1000)
                .splits(List.of(new SplitEnumerator.Place(
                        folder + "/t",
                        FormatTables.text("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe", Map.of()),
                        List.of(),
                        List.of())));
        assertThat(splits).extracting(Split::start).containsExactly(0L, 1000L, 2000L, 0L);
        assertThat(splits).extracting(Split::length).containsExactly(1000L, 1000L, 500L, 2500L);
    }

    private void write(String name, String text) throws IOException {
        try (OutputStream out = files.create(folder + "/" + name)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static StandardErrorCode code(Runnable action) {
        return catchThrowableOfType(SkepException.class, action::run).code();
    }
}
