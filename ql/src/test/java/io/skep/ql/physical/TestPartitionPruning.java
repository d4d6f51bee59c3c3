package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.ql.SqlSession;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that the partitions that pruning caches are never older than the last statement. */
class TestPartitionPruning {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeEach
    void makeTable() {
        engine.run(session, "create table t (a int) partitioned by (day int, town string) stored as orc");
        engine.run(session, "set hive.exec.dynamic.partition.mode=nonstrict");
        engine.run(session, "insert into t partition (day, town) values (1, 1, 'x'), (2, 2, 'y'), (3, 10, null)");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private List<Long> found(String condition) {
        return engine.run(session, "select a from t where " + condition + " order by a").stream()
                .map(row -> ((Datum.OfLong) row.getFirst()).value())
                .toList();
    }

    @Test
    void comparesValuesByTheirType() {
        assertThat(found("day > 2")).containsExactly(3L);
        assertThat(found("day between 2 and 10")).containsExactly(2L, 3L);
        assertThat(found("town is null")).isEmpty();
        assertThat(found("town = '__HIVE_DEFAULT_PARTITION__'")).containsExactly(3L);
        assertThat(found("town = 'y' and day = 2")).containsExactly(2L);
        assertThat(found("day = 11")).isEmpty();
    }

    @Test
    void seesPartitionsThatCameAndWent() {
        assertThat(found("day < 5")).containsExactly(1L, 2L);
        engine.run(session, "insert into t partition (day = 4, town = 'z') values (4)");
        assertThat(found("day < 5")).containsExactly(1L, 2L, 4L);
        engine.run(session, "alter table t drop partition (day = 1)");
        assertThat(found("day < 5")).containsExactly(2L, 4L);
        engine.run(session, "alter table t partition (day = 2, town = 'y') rename to partition (day = 7, town = 'y')");
        assertThat(found("day < 5")).containsExactly(4L);
        assertThat(found("day = 7")).containsExactly(2L);
    }

    @Test
    void seesAnotherTableOfTheSameName() {
        assertThat(found("day < 5")).containsExactly(1L, 2L);
        engine.run(session, "drop table t");
        engine.run(session, "create table t (a int) partitioned by (town string, day int) stored as orc");
        assertThat(found("day < 5")).isEmpty();
        engine.run(session, "insert into t partition (town = '1', day = 20) values (9)");
        assertThat(found("day > 5")).containsExactly(9L);
    }
}
