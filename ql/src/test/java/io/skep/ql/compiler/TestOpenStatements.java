package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what statements hold while their clients keep them open. */
final class TestOpenStatements {
    private static final int COLLECTIONS = 50;

    /** A statement and its text, to which no other object refers. */
    private record Open(SqlStatement statement, WeakReference<String> text) {}

    private static Open run(SqlSession session, String name, Supplier<String> made) {
        String text = made.get();
        SqlStatement statement = session.compile(new QueryId(name), text);
        statement.run(line -> {});
        return new Open(statement, new WeakReference<>(text));
    }

    private static String longer(String sql) {
        return sql + " -- " + "x".repeat(100_000) + "\n";
    }

    private static boolean isCollected(WeakReference<String> text) {
        for (int i = 0; i < COLLECTIONS && text.get() != null; i++) {
            System.gc();
        }
        return text.get() == null;
    }

    @Test
    void theTextIsNotHeld(@TempDir Path folder) {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session()) {
            for (String sql : new String[] {
                "select explode(array(1, 2))",
                "create table t (a int)",
                "insert into t select 7",
                "insert overwrite directory 'file:" + folder.resolve("out") + "' select 7",
                "alter table t set tblproperties ('a' = 'b')",
                "show tables",
                "explain select * from t",
            }) {
                Open open = run(session, "q-" + sql.hashCode(), () -> longer(sql));
                try (SqlStatement statement = open.statement()) {
                    assertThat(isCollected(open.text())).as(sql).isTrue();
                    assertThat(statement.operationName()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void rowsOfCommandsAndPlansAreWeighed() {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session()) {
            engine.run(session, "create table t (a int comment '" + "x".repeat(200) + "')");
            try (SqlStatement described = session.compile(new QueryId("d"), "describe t")) {
                assertThat(described.rowBytes()).isZero();
                described.run(line -> {});
                assertThat(described.rowBytes()).isBetween(300L, 2000L);
            }
            long small;
            try (SqlStatement query = session.compile(new QueryId("s"), "select * from t where a = 1")) {
                small = query.planBytes();
                assertThat(small).isBetween(500L, 20_000L);
            }
            String text = "y".repeat(20_000);
            engine.run(session, "create view v as select * from t where concat(a, 'b') <> '" + text + "'");
            try (SqlStatement query = session.compile(new QueryId("v"), "select * from v")) {
                assertThat(query.planBytes()).isGreaterThan(small + text.length());
            }
        }
    }
}
