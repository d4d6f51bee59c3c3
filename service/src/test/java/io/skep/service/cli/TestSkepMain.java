package io.skep.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.cli.CommandRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestSkepMain {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return CommandRunner.run(SkepMain.tree().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "server",
                "demo",
                "beeline",
                "metastore",
                "doctor",
                "drain",
                "stop",
                "llap",
                "llap start",
                "llap status",
                "llap resize",
                "llap restart",
                "llap stop",
                "llap read",
                "user",
                "user add",
                "user passwd",
                "user list",
                "user remove",
                "package",
                "completion"
            })
    void everyCommandHasHelp(String command) {
        assertThat(run((command + " --help").strip().split(" "))).isZero();
        assertThat(out.toString()).startsWith("Usage: bin/skep" + (command.isEmpty() ? "" : " " + command));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void wrongCommandsAndOptionsHaveNearNames() {
        assertThat(run("docter")).isEqualTo(CommandRunner.USAGE);
        assertThat(err.toString()).startsWith("skep: unknown command docter").contains("did you mean", "doctor");
        assertThat(run("stop", "--dta", "d")).isEqualTo(CommandRunner.USAGE);
        assertThat(err.toString()).contains("unknown option --dta", "--data", "Usage: bin/skep stop");
        assertThat(run("llap")).isEqualTo(CommandRunner.USAGE);
        assertThat(run("drain", "--within", "soon")).isEqualTo(CommandRunner.USAGE);
    }

    @Test
    void bashCompletesCommandsAndOptions(@TempDir Path folder) throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("completion.bash"), SkepMain.script());
        assertThat(completions(script, "bin/skep", "do")).containsExactly("doctor");
        assertThat(completions(script, "bin/skep", "server", "--u")).containsExactly("--ui-port");
        assertThat(completions(script, "bin/skep", "llap", "start", "--"))
                .contains("--standalone", "--ui-port", "--queue");
        assertThat(completions(script, "bin/skep", "llap", "stop", "--"))
                .contains("--data")
                .doesNotContain("--queue");
    }

    private static List<String> completions(Path script, String... words) throws IOException, InterruptedException {
        // bash has compopt only while it completes.
        String line = "compopt() { :; }; source '" + script + "'; COMP_WORDS=(" + String.join(" ", words)
                + "); COMP_CWORD=" + (words.length - 1) + "; _complete_skep; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process bash =
                new ProcessBuilder("bash", "-c", line).redirectErrorStream(true).start();
        try (var output = bash.inputReader()) {
            List<String> lines = output.lines().map(String::strip).toList();
            assertThat(bash.waitFor()).as(String.join("\n", lines)).isZero();
            return lines;
        }
    }
}
