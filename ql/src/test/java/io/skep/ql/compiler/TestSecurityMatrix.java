package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveOperationType;
import org.junit.jupiter.api.Test;

/** Compiles each statement of docs/security-matrix.md as users with all sets of privileges. Nothing is run. */
final class TestSecurityMatrix {
    /** The outcome of a compilation: the error of a denial, another error, or none. */
    private record Outcome(boolean denied, Optional<String> error) {}

    private static Outcome compile(SqlSession session, String sql) {
        try (SqlStatement statement = session.compile(new QueryId("q"), sql)) {
            assertThat(statement.operationName()).isNotEmpty();
            return new Outcome(false, Optional.empty());
        } catch (SkepException e) {
            return new Outcome(e.code() == StandardErrorCode.ACCESS_DENIED, Optional.of(e.fullMessage()));
        }
    }

    @Test
    void holdsForAllStatementsAndUsers() throws IOException {
        List<MatrixRow> rows = MatrixRow.all();
        List<String> wrong = new ArrayList<>();
        int cells = 0;
        int allowed = 0;
        try (TestingEngine engine = TestingEngine.authorized(PlanningLimits.DEFAULT);
                SqlSession admin = engine.session("root")) {
            engine.run(admin, "set role admin");
            engine.run(admin, "create scheduled query q every day as select 1");
            engine.run(admin, "create connector c type 'mysql' url 'jdbc:mysql://db.example.org'");
            engine.run(admin, "prepare e from select ?");
            for (Holder holder : Holder.all()) {
                holder.create(engine, admin);
                Set<String> counting = holder.counting();
                try (SqlSession session = holder.open(engine)) {
                    engine.run(session, "prepare e from select ?");
                    for (MatrixRow row : rows) {
                        boolean expected = row.isAllowed(counting);
                        check(row, expected, compile(session, row.in(holder.database())), holder.toString(), wrong);
                        cells++;
                        allowed += expected ? 1 : 0;
                    }
                }
            }
            for (MatrixRow row : rows) {
                check(row, true, compile(admin, row.in("m0")), "admin", wrong);
            }
            engine.run(admin, "set role all");
            for (MatrixRow row : rows) {
                // The user root has created the tables and views.
                check(row, row.isAllowed(ownedByRoot()), compile(admin, row.in("m0")), "root", wrong);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(cells).isGreaterThan(5000);
        assertThat(allowed).isGreaterThan(500).isLessThan(cells - 500);
    }

    private static Set<String> ownedByRoot() {
        Set<String> held = new HashSet<>(Set.of("OWNER m"));
        for (String table : Holder.TABLES) {
            held.add("OWNER " + table);
            for (String privilege : List.of("SELECT", "INSERT", "UPDATE", "DELETE")) {
                held.add(privilege + " GRANT " + table);
            }
        }
        return held;
    }

    private static void check(MatrixRow row, boolean expected, Outcome outcome, String who, List<String> wrong) {
        String cell = row.statement() + " as " + who;
        if (expected == outcome.denied()) {
            wrong.add(cell + ": " + (expected ? "denied" : "not denied") + " " + outcome.error());
        } else if (!expected
                && outcome.error()
                        .filter(words -> !words.contains("for operation " + row.operation() + " "))
                        .isPresent()) {
            wrong.add(cell + ": another operation " + outcome.error());
        } else if (expected && outcome.error().isPresent() && !row.statement().contains("/nowhere")) {
            wrong.add(cell + ": " + outcome.error());
        }
    }

    @Test
    void hasEachKindOfStatement() throws IOException {
        Set<Integer> roots = new HashSet<>();
        for (String example : MatrixRow.examples()) {
            try {
                roots.add(new HiveSqlParser(Map.of()).parse(example).type());
            } catch (SkepException e) {
                assertThat(e.code()).as(example).isEqualTo(StandardErrorCode.SYNTAX_ERROR);
            }
        }
        assertThat(roots).containsAll(StatementKinds.roots());
    }

    @Test
    void namesOperationsOfHive() throws IOException {
        List<String> known =
                Arrays.stream(HiveOperationType.values()).map(Enum::name).toList();
        // Hive checks nothing for LIST.
        assertThat(MatrixRow.all())
                .filteredOn(row -> !row.operation().equals("LIST"))
                .allSatisfy(row -> assertThat(known).contains(row.operation()));
    }
}
