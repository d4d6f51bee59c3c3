package io.skep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestProgress {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void aTerminalKeepsOneLineThatChangesAndTheResults() {
        Progress progress = new Progress(out, true);
        progress.running("starting a server");
        progress.step("data", 1, 2);
        progress.step("data", 2, 2);
        progress.line("result");
        progress.line("another");
        String[] written = text().split("\n", -1);
        assertThat(written).hasSize(3);
        assertThat(written[0].split("\r\u001B\\[K", -1))
                .containsExactly(
                        "",
                        "starting a server ...",
                        "data           [###############...............] 1 of 2",
                        "data           [##############################] 2 of 2",
                        "result");
        assertThat(written[1]).isEqualTo("another");
    }

    @Test
    void elsewhereStepsAreFewPlainLines() {
        Progress progress = new Progress(out, false);
        progress.running("starting a server");
        for (int done = 0; done <= 100; done++) {
            progress.step("data", done, 100);
        }
        progress.line("result");
        List<String> lines = text().lines().toList();
        assertThat(lines)
                .hasSizeBetween(2, 4)
                .endsWith("data           [##############################] 100 of 100", "result");
        assertThat(text()).doesNotContain("\r", "\u001B", "starting");
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
