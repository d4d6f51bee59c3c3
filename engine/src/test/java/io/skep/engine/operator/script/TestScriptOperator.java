package io.skep.engine.operator.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.plan.PlanNode;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.table.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs real programs. After each run there is no process, thread, file or reserved memory. */
class TestScriptOperator {
    private static final long MB = 1 << 20;

    /** The input is read, so that it does not matter how fast the script is. */
    private static final String READ = "cat >/dev/null; ";

    @TempDir
    private Path folder;

    private final List<ScriptRun> runs = new ArrayList<>();

    private ScriptRun run() {
        return run(64 * MB);
    }

    private ScriptRun run(long memoryBytes) {
        ScriptRun made = new ScriptRun(folder, memoryBytes);
        runs.add(made);
        return made;
    }

    @AfterEach
    void nothingIsLeft() {
        for (ScriptRun one : runs) {
            assertThat(one.reservedBytes()).isZero();
            one.close();
            assertThat(one.leftFiles()).isEmpty();
        }
        assertThat(ScriptRun.leftThreads()).isEmpty();
        Polling.await("processes of scripts are gone")
                .until(() -> ScriptRun.leftProcesses().isEmpty());
    }

    private static List<Batch> numbers(int batches, int rows) {
        List<Batch> all = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            long[] values = new long[rows];
            int first = i * rows;
            Arrays.setAll(values, at -> first + at);
            all.add(Batch.of(rows, TestBatches.longs(values)));
        }
        return all;
    }

    private static void assertFails(ScriptRun run, String command, List<Batch> input, int number, String... texts) {
        assertThatThrownBy(() -> run.shell(command, input)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.SCRIPT_FAILED);
            assertThat(e.client().number()).isEqualTo(number);
            assertThat(e.client().sqlState()).isEqualTo("08S01");
            assertThat(e.getMessage()).contains("[Error " + number + "]").contains(texts);
        });
    }

    @Test
    void valuesOfAllTypesGoThereAndBack() {
        PlanNode.Transform node = ScriptRun.node(
                List.of("cat"),
                List.of(PrimitiveType.BIGINT, PrimitiveType.STRING),
                List.of(
                        new Column("a", PrimitiveType.INT),
                        new Column("b", PrimitiveType.STRING),
                        new Column("c", new DecimalType(10, 2))),
                List.of(),
                false);
        Batch input = Batch.of(3, TestBatches.nullableLongs(1L, null, 3L), TestBatches.texts("x", null, "y\t1.5\tz"));
        assertThat(run().run(node, List.of(input)).toString())
                .isEqualTo("[[1, x, null], [null, null, null], [3, y, 150]]");
    }

    @Test
    void manyRowsComeBackInTheirOrder() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            all.add(Integer.toString(i));
        }
        assertThat(run().shell("cat", numbers(300, 1000))).isEqualTo(all);
    }

    @Test
    void linesAreDecodedWithEscapes() {
        PlanNode.Transform node = ScriptRun.node(
                List.of("cat"),
                List.of(PrimitiveType.STRING, PrimitiveType.STRING),
                List.of(new Column("a", PrimitiveType.STRING), new Column("b", PrimitiveType.STRING)),
                List.of(),
                true);
        Batch input = Batch.of(1, TestBatches.texts("a\tb\\n"), TestBatches.texts("c\nd\re"));
        assertThat(run().run(node, List.of(input))).isEqualTo(List.of(List.of("a\tb\\n", "c\nd\re")));
    }

    @Test
    void allKindsOfLineEndsEndALine() {
        assertThat(run().shell(READ + "printf 'a\\r\\nb\\rc\\n\\nlast'", numbers(1, 1)))
                .containsExactly("a", "b", "c", "", "last");
    }

    @Test
    void withoutRowsNoScriptStarts() {
        assertThat(run().shell("exit 3", List.of())).isEmpty();
    }

    @Test
    void aStatusIsAnErrorWithTheLastOfStderr() {
        assertFails(run(), READ + "echo oops >&2; exit 3", numbers(1, 1), 20003, "status 3", "oops");
    }

    @Test
    void aStatusCountsBeforeABrokenPipe() {
        assertFails(run(), "exit 4", numbers(100, 1000), 20003, "status 4");
    }

    @Test
    void aKilledScriptIsAnError() {
        assertFails(run(), "kill -9 $$", numbers(1, 1), 20003, "status 137");
    }

    /** Often, since the script exits while its last bytes are read. */
    @RepeatedTest(20)
    void stderrIsBounded() {
        assertThatThrownBy(() -> run().shell(READ + "yes | head -c 50000000 >&2; echo last >&2; exit 1", numbers(1, 1)))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(Objects.requireNonNull(e.getMessage()))
                                .endsWith("last")
                                .hasSizeLessThan(9000));
    }

    @Test
    void aProgramThatDoesNotExistIsAnError() {
        PlanNode.Transform node = ScriptRun.node(
                List.of("no-such-program"),
                List.of(PrimitiveType.BIGINT),
                List.of(new Column("x", PrimitiveType.STRING)),
                List.of(),
                false);
        assertThatThrownBy(() -> run().run(node, numbers(1, 1))).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.client().number()).isEqualTo(20000);
            assertThat(e.getMessage()).contains("no-such-program");
        });
    }

    @Test
    void inputThatIsNotReadIsAnErrorUnlessAllowed() {
        assertFails(run(), "head -n 1", numbers(100, 1000), 20001, "hive.exec.script.allow.partial.consumption=true");
        assertThat(run().set("hive.exec.script.allow.partial.consumption", "true")
                        .shell("head -n 1", numbers(100, 1000)))
                .containsExactly("0");
    }

    /** The script closes its stdin and goes on. */
    @Test
    void aScriptThatRefusesInputIsEndedAfterAPause() {
        assertFails(
                run().pause(Duration.ofMillis(100)),
                "exec <&-; sleep 1000",
                numbers(100, 1000),
                20001,
                "did not read all of its input");
    }

    @Test
    void aScriptMayCloseItsOutputBeforeItsInputEnds() {
        assertThat(run().shell("echo a; exec >&- 2>&-; cat >/dev/null", numbers(100, 1000)))
                .containsExactly("a");
    }

    @Test
    void aScriptMayPrintNothing() {
        assertThat(run().shell(READ, numbers(10, 1000))).isEmpty();
    }

    @Test
    void aScriptMayPrintBeforeItReads() {
        assertThat(run().shell("yes | head -n 200000; cat >/dev/null", numbers(100, 1000)))
                .hasSize(200_000);
    }

    @Test
    void aLimitEndsAnEndlessScript() {
        assertThat(run().limit(10).shell("yes", numbers(1, 1)).size()).isGreaterThanOrEqualTo(10);
    }

    @Test
    void aScriptThatHangsEndsWithItsOperator() {
        assertThat(run().limit(1).shell("echo a; sleep 1000", numbers(1, 1))).containsExactly("a");
    }

    @Test
    void whatAScriptLeavesBehindIsKilledAfterAPause() {
        assertThat(run().pause(Duration.ofMillis(200)).shell("sleep 1000 & " + READ + "echo a", numbers(1, 1)))
                .containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(setsid sleep 1000 </dev/null >/dev/null 2>&1 &); cat",
                "(sh -c 'sleep 1000 & sleep 1000' </dev/null >/dev/null 2>&1 &); cat",
                "nohup sleep 1000 </dev/null >/dev/null 2>&1 & cat"
            })
    void processesWithoutTheirParentsAreKilled(String command) {
        assertThat(run().shell(command, numbers(1, 1))).containsExactly("0");
    }

    /** The child holds the script's stdin, so that the pipe stays open, and does not read. */
    @Test
    void aChildThatHoldsTheInputDoesNotHoldUpTheTask() {
        String command = "exec 3<&0; sleep 1000 <&3 >/dev/null 2>&1 & exit 0";
        assertFails(run().pause(Duration.ofMillis(100)), command, numbers(100, 1000), 20001, "did not read");
    }

    @Test
    void whatIsWrittenAfterTheExitOfTheScriptCounts() {
        assertThat(run().shell(READ + "(sleep 0.3; echo late) & echo early", numbers(1, 1)))
                .containsExactly("early", "late");
    }

    @Test
    void aLineMayHaveAHundredMegabytes() {
        String line = Objects.requireNonNull((String) run(1024 * MB)
                .shell(READ + "head -c 100000000 /dev/zero | tr '\\0' x", numbers(1, 1))
                .getFirst());
        assertThat(line.length()).isEqualTo(100_000_000);
    }

    @Test
    void aLineIsBounded() {
        String command = READ + "head -c 100000000 /dev/zero | tr '\\0' x";
        assertFails(
                run().set(RecordLimit.SETTING, "1000000"), command, numbers(1, 1), 20001, "more than 1000000 bytes");
        assertThatThrownBy(() -> run(32 * MB).shell(command, numbers(1, 1)))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
    }

    @Test
    void filesAreInTheFolderUnderTheirNames() throws IOException {
        Path program = Files.writeString(folder.resolve("tool"), "#!/bin/sh\n" + READ + "cat data.txt pack.zip/d/in\n");
        Path data = Files.writeString(folder.resolve("data.txt"), "data\n");
        Path archive = folder.resolve("pack.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("d/in"));
            zip.write("packed\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        ScriptRun run = run().file(program, false).file(data, false).file(archive, true);
        assertThat(run.shell("./tool; rm data.txt; touch more; chmod 500 pack.zip", numbers(1, 1)))
                .containsExactly("data", "packed");
        assertThat(data).hasContent("data\n");
    }

    @Test
    void filesAreCharged() throws IOException {
        Path large = folder.resolve("large");
        Files.write(large, new byte[(int) (17 * MB)]);
        assertThatThrownBy(() -> run().file(large, false).shell("cat", numbers(1, 1)))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.DISK_FULL));
    }

    @Test
    void aDamagedArchiveIsNamed() throws IOException {
        Path archive = Files.writeString(folder.resolve("bad.tar.gz"), "no archive");
        assertFails(run().file(archive, true), "cat", numbers(1, 1), 20000, "bad.tar.gz");
        Path other = Files.writeString(folder.resolve("bad.rar"), "no archive");
        assertFails(run().file(other, true), "cat", numbers(1, 1), 20000, "bad.rar");
    }

    @Test
    void anArchiveStaysInItsFolder() throws IOException {
        Path archive = folder.resolve("evil.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("../../out"));
            zip.write(1);
        }
        assertFails(run().file(archive, true), "cat", numbers(1, 1), 20000, "../../out");
    }

    @Test
    void settingsAreVariablesAndTheServersOwnAreNot() {
        ScriptRun run = run().set("hive.a-b", "1")
                .set("hive.long", "x".repeat(30_000))
                .set("hive.hidden", "h")
                .set("hive.script.operator.env.blacklist", "hive.hidden, other")
                .set("hive.script.operator.truncate.env", "true")
                .set("hive.script.operator.id.env.var", "MY.ID");
        String command = READ + "echo $hive_a_b; printf %s \"$hive_long\" | wc -c; echo [$hive_hidden$SECRET];"
                + " test \"$MY_ID\" = \"$SKEP_SCRIPT_RUN\" && echo same";
        assertThat(run.shell(command, numbers(1, 1)).stream()
                        .map(line -> String.valueOf(line).strip())
                        .toList())
                .containsExactly("1", "20480", "[]", "same");
    }
}
