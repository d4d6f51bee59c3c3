package io.skep.common.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class TestCommandRunner {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command(name = "test", description = "Listens.")
    static final class Listen implements Callable<Integer> {
        @Mixin
        HelpOption help = new HelpOption();

        @Option(names = "--port", required = true, converter = SettingValue.Port.class, description = "Port.")
        int port;

        @Override
        public Integer call() {
            if (port == 7) {
                throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "port 7 is in use");
            }
            if (port == 8) {
                throw new IllegalStateException("unforeseen");
            }
            return 0;
        }
    }

    private int run(String... arguments) {
        return CommandRunner.run(
                new CommandLine(new Listen()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), arguments);
    }

    @Test
    void commandsGiveTheirStatus() {
        assertThat(run("--port", "0")).isZero();
        assertThat(run("--port=9")).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(run("--port", "7")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("skep: ")
                .contains("port 7 is in use")
                .doesNotContain("\tat ", "Usage");
        assertThat(run("--port", "8")).isEqualTo(1);
        assertThat(err.toString()).contains("IllegalStateException: unforeseen", "\tat ");
    }

    @Test
    void helpIsNoError() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Usage: test", "--port", "--help");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--colour red, unknown option --colour",
        "--port, --port needs a value",
        "'', --port is missing",
        "--port 1 more, unexpected argument more",
        "--port many, many",
        "--port 65536, 65535"
    })
    void wrongUsageIsToldWithTheUsage(String arguments, String message) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
                .isEqualTo(CommandRunner.USAGE);
        assertThat(err.toString().lines().findFirst().orElseThrow())
                .startsWith("skep: ")
                .contains(message);
        assertThat(err.toString()).contains("Usage: test");
    }

    @Test
    void nearNamesAreNamed() {
        assertThat(run("--prot", "1")).isEqualTo(CommandRunner.USAGE);
        assertThat(err.toString()).contains("did you mean --port");
    }

    @Test
    void inAProcessThatContinuesErrorsAreThrown() {
        CommandLine line = new CommandLine(new Listen());
        CommandRunner.call(line, "--port", "1");
        assertThatThrownBy(() -> CommandRunner.call(line, "--port", "7")).hasMessageContaining("port 7 is in use");
        assertThatThrownBy(() -> CommandRunner.call(line, "--what"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION));
        assertThatThrownBy(() -> CommandRunner.parse(new Listen(), "--port", "many"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("--port");
        assertThat(CommandRunner.parse(new Listen(), "--port", "5").port).isEqualTo(5);
    }
}
