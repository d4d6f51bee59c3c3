package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.compiler.RandomSchema;
import io.skep.ql.testing.TestingEngine;
import org.junit.jupiter.api.Test;

/** Tests that rows are counted without their columns, in files of every format. */
class TestCountedRows {
    private static void counts(PlanningLimits limits) {
        try (TestingEngine engine = new TestingEngine(limits);
                SqlSession session = engine.session()) {
            engine.run(session, "set hive.compute.query.using.stats=false");
            for (String format : RandomSchema.FORMATS) {
                engine.run(session, "create table t (a int, b string) stored as " + format);
                assertThat(engine.rows(session, "select count(*) from t"))
                        .as(format)
                        .containsExactly("0");
                engine.run(session, "insert into t values (1, 'x'), (null, null), (3, 'y')");
                assertThat(engine.rows(session, "select count(*) from t"))
                        .as(format)
                        .containsExactly("3");
                assertThat(engine.rows(session, "select count(*), count(*) + 1 from t"))
                        .as(format)
                        .containsExactly("3 | 4");
                engine.run(session, "drop table t");
            }
        }
    }

    @Test
    void inOneTask() {
        counts(PlanningLimits.DEFAULT);
    }

    @Test
    void inSeveralTasks() {
        counts(PlanningLimits.SPREAD);
    }
}
