package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TestFileNamer {
    private static FileNamer namer(String... taken) {
        return new FileNamer("file:/t", new HashSet<>(List.of(taken)));
    }

    @Test
    void writtenFilesAreNumberedAndStepAside() {
        FileNamer names = namer("000001_0", "000001_0_copy_1", "000002_0.orc");
        assertThat(names.written("file:/s/a")).isEqualTo("file:/t/000000_0");
        assertThat(names.written("file:/s/b")).isEqualTo("file:/t/000001_0_copy_2");
        assertThat(names.written("file:/s/c")).isEqualTo("file:/t/000002_0");
    }

    @Test
    void fileOfABucketKeepsItsNumber() {
        FileNamer names = namer();
        assertThat(names.written("file:/s/bucket_000007-w1")).isEqualTo("file:/t/000007_0");
        assertThat(names.written("file:/s/bucket_000007-w2")).isEqualTo("file:/t/000007_0_copy_1");
        assertThat(names.written("file:/s/other")).isEqualTo("file:/t/000000_0");
    }

    @ParameterizedTest
    @CsvSource({"a.txt, a_copy_1.txt", "a, a_copy_1", "a.tar.gz, a.tar_copy_1.gz", ".hidden, .hidden_copy_1"})
    void loadedFileKeepsItsNameOrStepsAsideBeforeTheExtension(String name, String second) {
        Set<String> taken = new HashSet<>();
        FileNamer names = new FileNamer("file:/t", taken);
        assertThat(names.loaded("file:/a/" + name)).isEqualTo("file:/t/" + name);
        assertThat(names.loaded("file:/b/" + name)).isEqualTo("file:/t/" + second);
        assertThat(taken).containsExactlyInAnyOrder(name, second);
    }

    @Test
    void longNameIsCutBetweenCharacters() {
        String name = "\u00e4".repeat(125) + ".orc";
        String second = namer(name).loaded("/s/" + name).substring("file:/t/".length());
        assertThat(second).isEqualTo("\u00e4".repeat(122) + "_copy_1.orc");
        assertThat(second.getBytes(StandardCharsets.UTF_8)).hasSize(255);
    }

    @ParameterizedTest
    @CsvSource({"000003_0, 3", "000012_1_copy_4, 12", "5_0.gz, 5", "part-0001, -1", "x000003_0, -1"})
    void bucketIsTheNumberInFront(String name, int bucket) {
        assertThat(FileNamer.bucket("file:/s/" + name))
                .isEqualTo(bucket < 0 ? OptionalInt.empty() : OptionalInt.of(bucket));
    }
}
