package io.skep.engine.operator.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestScriptProcess {
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    @TempDir
    private Path folder;

    /** The reader is busy with earlier pieces when the script exits, and reads on only after that. */
    @Test
    void nothingIsLostWhenTheScriptExitsBeforeItsOutputIsRead() throws Exception {
        String text = "for i in 1 2 3 4 5; do echo $i; sleep 0.1; done; (sleep 0.3; echo late) & echo $$ > exited";
        Path exited = folder.resolve("exited");
        StringBuilder printed = new StringBuilder();
        try (ScriptProcess process = start(text)) {
            ScriptPipes pipes = process.pipes();
            pipes.closeInput();
            Polling.await("the last command of the script").until(() -> Files.exists(exited) && Files.size(exited) > 0);
            long pid = Long.parseLong(Files.readString(exited).strip());
            Polling.await("its exit")
                    .until(() ->
                            !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
            assertThat(pipes.isFull()).isTrue();
            Polling.await("the end of its output").until(() -> {
                for (Optional<ScriptPipes.Piece> next = pipes.poll(); next.isPresent(); next = pipes.poll()) {
                    ScriptPipes.Piece piece = next.get();
                    printed.append(new String(piece.data(), 0, piece.count(), StandardCharsets.UTF_8));
                }
                return process.status().isPresent() && !pipes.hasOutput();
            });
        }
        assertThat(printed).hasToString("1\n2\n3\n4\n5\nlate\n");
    }

    /** Other code of the process may block all threads of the common pool. */
    @Test
    void exitsAreSeenWhileTheCommonPoolIsBusy() {
        CountDownLatch busy = new CountDownLatch(1);
        List<ForkJoinTask<Boolean>> blocked = new ArrayList<>();
        for (int i = 0; i < ForkJoinPool.commonPool().getParallelism(); i++) {
            blocked.add(ForkJoinPool.commonPool().submit(() -> busy.await(1, TimeUnit.MINUTES)));
        }
        try (ScriptProcess process = start("exit 0");
                ScriptProcess failed = start("exit 3")) {
            for (ScriptProcess each : List.of(process, failed)) {
                each.pipes().closeInput();
                Polling.await("its exit").until(() -> each.status().isPresent());
            }
            assertThat(process.status()).hasValue(0);
            assertThat(failed.status()).hasValue(3);
        } finally {
            busy.countDown();
        }
        blocked.forEach(
                task -> assertThat(task.join()).as("it was busy all the time").isTrue());
    }

    private ScriptProcess start(String text) {
        return ScriptProcess.start(
                new ScriptProcess.Start(
                        List.of("sh", "-c", text), folder, Map.of("PATH", PATH), "run", Duration.ofSeconds(10)),
                "script",
                1000);
    }
}
