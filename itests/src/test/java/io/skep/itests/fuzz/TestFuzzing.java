package io.skep.itests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs Jazzer, which searches for inputs that break a target's contract. Each target runs in its own process, and the
 * branches that inputs take guide the search. Findings stay in {@code itests/target/fuzz}. docs/testing/fuzzing.md says
 * how to run it for longer.
 */
@Timeout(value = 8, unit = TimeUnit.HOURS)
final class TestFuzzing {
    /** The time for each target, in addition to the start of its process. */
    private static final int SECONDS = Integer.getInteger("skep.fuzz.seconds", 4);

    /** The seed of all mutations of inputs; 0 selects a different one each time. */
    private static final int SEED = Integer.getInteger("skep.fuzz.seed", 1);

    /** The time limit for one input. Valid inputs stay far below it, even on a slow machine. */
    private static final int INPUT_SECONDS = 60;

    private static final int LONGEST_INPUT = 16 << 10;
    private static final int TAIL = 60;
    private static final String NO_DRIVER = "UnsatisfiedLinkError";

    static List<FuzzTarget> searched() {
        String chosen = System.getProperty("skep.fuzz.target");
        return chosen == null ? List.of(FuzzTarget.values()) : List.of(FuzzTarget.valueOf(chosen));
    }

    @ParameterizedTest
    @MethodSource("searched")
    void findsNothing(FuzzTarget target, @TempDir Path corpus) throws Exception {
        Path findings = Path.of(System.getProperty("basedir"), "target", "fuzz", target.folder());
        Files.createDirectories(findings);
        Path log = findings.resolve("log.txt");
        Process process = new ProcessBuilder(command(target, corpus, findings))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int status = process.waitFor();
        String text = Files.readString(log);
        assumeThat(text)
                .as("Jazzer cannot start here: its native driver does not load")
                .doesNotContain(NO_DRIVER);
        assertThat(status).as("see %s; the end of it:%n%s", log, end(text)).isZero();
        assertThat(text).contains("Done ");
    }

    private static List<String> command(FuzzTarget target, Path corpus, Path findings) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of(System.getProperty("skep.home"), "bin", "jvm.flags"),
                "-XX:-ExitOnOutOfMemoryError",
                "-XX:+EnableDynamicAgentLoading",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx768m",
                "-Duser.timezone=UTC",
                // Disables logging, because readers warn about most inputs.
                "-Dlog4j.defaultInitOverride=true",
                "-Dskep.home=" + System.getProperty("skep.home"),
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + FuzzEntry.class.getName(),
                "--target_args=" + target.name(),
                "--instrumentation_includes=" + String.join(":", target.instrumented()),
                // Disables the search for what Jazzer's sanitizers detect: opened files, expressions, deserialized
                // classes.
                "--custom_hook_includes=io.skep.none",
                "--reproducer_path=" + findings,
                "-artifact_prefix=" + findings + "/",
                "-max_total_time=" + SECONDS,
                "-seed=" + SEED,
                "-timeout=" + INPUT_SECONDS,
                "-max_len=" + LONGEST_INPUT,
                "-rss_limit_mb=0",
                "-print_final_stats=1",
                corpus.toString()));
        for (Path known : List.of(FuzzFolders.seeds(target), FuzzFolders.regressions(target))) {
            if (Files.isDirectory(known)) {
                command.add(known.toString());
            }
        }
        return command;
    }

    private static String end(String log) {
        List<String> lines = log.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }
}
