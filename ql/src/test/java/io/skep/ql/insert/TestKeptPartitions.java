package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import org.junit.jupiter.api.Test;

/** Tests INSERT OVERWRITE ... IF NOT EXISTS while another statement adds the partition. */
final class TestKeptPartitions {
    @Test
    void rowsThatCameMeanwhileStay() {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session()) {
            engine.run(session, "create table t (a int) partitioned by (d int)");
            String sql = "insert overwrite table t partition (d=1) if not exists select 1";
            try (SqlStatement statement = session.compile(new QueryId("late"), sql)) {
                engine.run(session, "insert into t partition (d=1) values (7)");
                assertThatThrownBy(() -> statement.run(line -> {}))
                        .isInstanceOf(SkepException.class)
                        .hasMessageContaining("d=1")
                        .hasMessageContaining("nothing was written");
            }
            assertThat(engine.rows(session, "select * from t")).containsExactly("7 | 1");
            engine.run(session, "insert overwrite table t partition (d=2) if not exists select 2");
            engine.run(session, "insert overwrite table t partition (d=2) if not exists select 3");
            assertThat(engine.rows(session, "select a from t where d = 2")).containsExactly("2");
        }
    }
}
