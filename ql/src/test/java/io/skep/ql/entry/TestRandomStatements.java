package io.skep.ql.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Whatever is said to the engine, it either does it or says what is wrong with it. {@code -Dskep.statements.seeds} runs more
 * sequences of statements, {@code -Dskep.statements.first} others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestRandomStatements {
    private static final long FIRST_SEED = Long.getLong("skep.statements.first", 1);
    private static final long SEEDS = Long.getLong("skep.statements.seeds", 20);
    private static final int STATEMENTS = 60;
    private static final int FRAMES = 8;

    private int done;
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);

    @AfterAll
    void close() {
        engine.close();
    }

    @Test
    void areDoneOrRefused() {
        List<String> broken = new ArrayList<>();
        LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS).forEach(seed -> broken.addAll(sequence(seed)));
        assertThat(broken).isEmpty();
        assertThat(done).as("statements that were not refused").isGreaterThan((int) (SEEDS * STATEMENTS / 5));
    }

    /** What was done before each of the statements that broke is made again by its seed. */
    private List<String> sequence(long seed) {
        List<String> broken = new ArrayList<>();
        try (SqlSession session = engine.session()) {
            Set<String> functions = session.functions().names();
            RandomStatements statements = new RandomStatements(seed, functions);
            engine.run(session, "create database s" + seed);
            engine.run(session, "use s" + seed);
            engine.run(session, "set hive.exec.dynamic.partition.mode=nonstrict");
            for (int i = 0; i < STATEMENTS; i++) {
                String statement = statements.next();
                failure(session, statement)
                        .ifPresent(what -> broken.add("seed " + seed + ": " + statement + "\n  " + what));
            }
            engine.run(session, "drop database s" + seed + " cascade");
        }
        return broken;
    }

    /** What broke, if it is neither done nor refused. */
    private Optional<String> failure(SqlSession session, String statement) {
        try {
            engine.run(session, statement);
            done++;
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
