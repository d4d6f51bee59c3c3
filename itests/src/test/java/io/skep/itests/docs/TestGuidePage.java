package io.skep.itests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TestGuidePage {
    @Test
    void readsCommandsStatementsAndFiles() {
        assertThat(GuidePage.steps("""
                # Page
                ```console
                $ ls \\
                    -l
                a
                sql> select 1
                   > as b;
                1
                ```

                *Not run: needs a screen.*

                ```console
                $ xeyes
                ```
                ```python
                # a.py
                print(1)
                ```
                """.lines().toList()))
                .containsExactly(
                        new GuidePage.Shell(3, "ls \\\n    -l", List.of("a")),
                        new GuidePage.Sql(6, "select 1\nas b;", List.of("1")),
                        new GuidePage.WrittenFile(17, "a.py", "# a.py\nprint(1)\n"));
    }

    @Test
    void refusesBlocksThatWouldBeIgnored() {
        assertThatThrownBy(() -> GuidePage.steps(List.of("```sql", "select 1", "```")))
                .hasMessageContaining("line 2 names no file");
        assertThatThrownBy(() -> GuidePage.steps(List.of("```console", "ls", "```")))
                .hasMessageContaining("line 2 begins");
        assertThatThrownBy(() -> GuidePage.steps(List.of("text", "```console", "$ ls")))
                .hasMessageContaining("line 2 has no end");
    }

    @Test
    void comparesOutput() {
        assertThat(GuideOutput.matches(List.of("a  ", "", "b"), "a\nb \n\n")).isTrue();
        assertThat(GuideOutput.matches(List.of("a", "b"), "a\nc\n")).isFalse();
        assertThat(GuideOutput.matches(List.of("a"), "a\nb\n")).isFalse();
        assertThat(GuideOutput.matches(List.of(), "a\n")).isFalse();
        assertThat(GuideOutput.matches(List.of("...", "b"), "x\ny\nb\n")).isTrue();
        assertThat(GuideOutput.matches(List.of("...", "b"), "b\nc\n")).isFalse();
        assertThat(GuideOutput.matches(List.of("took ... ms"), "took 7 ms\n")).isTrue();
        assertThat(GuideOutput.matches(List.of("took ... ms"), "took 7 s\n")).isFalse();
        assertThat(GuideOutput.matches(List.of("a.c"), "abc\n")).isFalse();
    }
}
