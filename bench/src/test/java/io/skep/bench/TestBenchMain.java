package io.skep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.cli.CommandRunner;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestBenchMain {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return CommandRunner.run(
                BenchMain.commands().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), arguments);
    }

    @Test
    void benchmarksAreListedAndHaveHelp() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("reports", "tpch", "simulation", "kernels");
        assertThat(run("reports", "--help")).isZero();
        assertThat(out.toString()).contains("Usage: bin/bench reports", "--rows=N", "--reuse");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "report", "reports --colour", "scan --rows", "scan --rows many", "compare", "warmup"})
    void wrongUsageRunsNothing(String arguments) {
        String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ");
        assertThat(run(words)).isEqualTo(CommandRunner.USAGE);
        assertThat(err.toString()).startsWith("skep: ").contains("Usage: bin/bench");
    }
}
