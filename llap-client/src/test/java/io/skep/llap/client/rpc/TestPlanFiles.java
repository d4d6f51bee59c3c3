package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.llap.client.PlanFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which files of plans are local, and their hashes. */
class TestPlanFiles {
    @TempDir
    Path folder;

    private final PlanFiles files = new PlanFiles();

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String hash(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aFileIsNamedByThePlanAndFoundByItsContent() throws Exception {
        Path jar = file("a.jar", "content");
        String uri = jar.toUri().toString();
        assertThat(files.of(List.of(uri))).containsExactly(new PlanFile(uri, hash("content")));
        assertThat(files.find(hash("content"))).contains(jar);
    }

    @Test
    void pathsNeedNoScheme() throws Exception {
        String path = file("with blank.jar", "b").toString();
        assertThat(files.of(List.of(path))).containsExactly(new PlanFile(path, hash("b")));
    }

    @Test
    void filesOfOtherPlacesAreLeftOut() throws IOException {
        file("a.jar", "content");
        assertThat(files.of(List.of(
                        "hdfs://host/a.jar",
                        "https://host/a.jar",
                        folder.toString(),
                        folder.resolve("missing.jar").toString())))
                .isEmpty();
    }

    @Test
    void equalContentsHaveOneHash() throws Exception {
        Path one = file("one.jar", "same");
        Path other = file("other.jar", "same");
        assertThat(files.of(List.of(one.toString(), other.toString())))
                .extracting(PlanFile::hash)
                .containsOnly(hash("same"));
        assertThat(files.find(hash("same"))).isPresent();
    }

    @Test
    void aFileThatChangesIsReadAgain() throws Exception {
        Path jar = file("a.jar", "before");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000));
        assertThat(files.of(List.of(jar.toString()))).extracting(PlanFile::hash).containsExactly(hash("before"));
        file("a.jar", "behind");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(2_000_000));
        assertThat(files.of(List.of(jar.toString()))).extracting(PlanFile::hash).containsExactly(hash("behind"));
    }

    @Test
    void aFileThatIsUnchangedIsNotReadAgain() throws Exception {
        Path jar = file("a.jar", "before");
        FileTime time = FileTime.fromMillis(1_000_000);
        Files.setLastModifiedTime(jar, time);
        files.of(List.of(jar.toString()));
        file("a.jar", "behind");
        Files.setLastModifiedTime(jar, time);
        assertThat(files.of(List.of(jar.toString()))).extracting(PlanFile::hash).containsExactly(hash("before"));
    }

    @Test
    void unknownContentsAreNotFound() throws Exception {
        assertThat(files.find(hash("nothing"))).isEmpty();
    }
}
