package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.LoadedFiles;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the engine either runs each statement or says what is wrong with it. {@code -Dskep.statements.seeds} runs
 * more sequences of statements, {@code -Dskep.statements.first} different ones.
 */
@Timeout(value = 8, unit = TimeUnit.HOURS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestRandomStatements {
    private static final long FIRST_SEED = Long.getLong("skep.statements.first", 1);
    private static final long SEEDS = Long.getLong("skep.statements.seeds", 70);
    private static final int STATEMENTS = 60;

    /** In one of ten sequences several sessions run concurrently in one database, each with its own statements. */
    private static final int SHARED = 10;

    private static final int SESSIONS = 3;

    /** The distance between the seeds of two sessions. */
    private static final long OTHER_SESSION = 1_000_000;

    private static final int FRAMES = 8;

    private final AtomicInteger done = new AtomicInteger();
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);

    @TempDir
    private Path folder;

    private LoadedFiles files = new LoadedFiles(Map.of());

    @AfterAll
    void close() {
        engine.close();
    }

    @Test
    void areDoneOrRefused() throws IOException {
        files = LoadedFiles.make(engine);
        List<String> broken = new ArrayList<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            broken.addAll(sequences(seed, seed % SHARED == 0 ? SESSIONS : 1));
        }
        assertThat(broken).isEmpty();
        assertThat(done.get()).as("statements that were not refused").isGreaterThan((int) (SEEDS * STATEMENTS / 5));
    }

    private List<String> sequences(long seed, int sessions) {
        List<CompletableFuture<List<String>>> running = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        try (SqlSession session = engine.session();
                ExecutorService threads = Executors.newFixedThreadPool(sessions)) {
            engine.run(session, "create database s" + seed);
            for (int i = 0; i < sessions; i++) {
                long own = seed + i * OTHER_SESSION;
                running.add(CompletableFuture.supplyAsync(() -> sequence(seed, own), threads));
            }
            for (CompletableFuture<List<String>> one : running) {
                broken.addAll(one.join());
            }
            engine.run(session, "drop database s" + seed + " cascade");
        }
        return broken;
    }

    /**
     * Runs a sequence and returns its failures. The seed of a failed statement reproduces all statements before it,
     * except for those of other sessions.
     */
    private List<String> sequence(long database, long seed) {
        List<String> broken = new ArrayList<>();
        try (SqlSession session = engine.session()) {
            Set<String> functions = session.functions().names();
            List<String> loaded = files.copies(folder.resolve("files" + seed));
            RandomStatements statements = new RandomStatements(seed, functions, loaded);
            engine.run(session, "use s" + database);
            engine.run(session, "set hive.exec.dynamic.partition.mode=nonstrict");
            for (int i = 0; i < STATEMENTS; i++) {
                String statement = statements.next();
                failure(session, statement)
                        .ifPresent(what -> broken.add("seed " + seed + ": " + statement + "\n  " + what));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return broken;
    }

    /** Returns the failure of a statement that was neither run nor rejected. */
    private Optional<String> failure(SqlSession session, String statement) {
        try {
            engine.run(session, statement);
            done.incrementAndGet();
            return Optional.empty();
        } catch (SkepException e) {
            return e.code().kind() == ErrorKind.INTERNAL ? Optional.of(trace(e)) : Optional.empty();
        } catch (RuntimeException | Error e) {
            return Optional.of(trace(e));
        }
    }

    private static String trace(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            text.append(cause);
            Arrays.stream(cause.getStackTrace())
                    .limit(FRAMES)
                    .forEach(frame -> text.append("\n    ").append(frame));
            text.append("\n  ");
        }
        return text.toString();
    }
}
