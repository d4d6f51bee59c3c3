package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that a plan of joins is reused only for values with about the same expected row counts. */
class TestPlanReuseBySizes {
    private static final String JOIN = "select count(*) from big join small on big.k = small.k where big.v < ";

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeEach
    void makeTables() {
        engine.run(session, "create table big (k int, v int)");
        engine.run(session, "create table small (k int, v int)");
        engine.run(session, "insert into small select pos, pos from (select posexplode(split(space(1999), ' '))) p");
        engine.run(
                session, "insert into big select a.k, a.k * 10 from small a join (select k from small where k < 10) b");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    /** Returns the plan's scans in the order of the joins: the probe side first. */
    private String scans(String query) {
        return engine.plan(session, query)
                .lines()
                .map(String::strip)
                .filter(line -> line.contains("default.big") || line.contains("default.small"))
                .map(line -> line.contains("default.big") ? "big" : "small")
                .reduce("", (all, one) -> all + " " + one);
    }

    @Test
    void plansAnewForOtherSizes() {
        for (int bound : new int[] {20_000, 19_000, 10, 20, 18_000, 15}) {
            String query = JOIN + bound;
            String alone = scans(query + " -- has no shape");
            assertThat(scans(query)).as(query).isEqualTo(alone).isNotEmpty();
            assertThat(engine.rows(session, query)).isEqualTo(engine.rows(session, query + " -- has no shape"));
        }
        assertThat(scans(JOIN + 20_000)).isNotEqualTo(scans(JOIN + 10));
        assertThat(engine.plans().misses()).isEqualTo(2);
    }

    @Test
    void hasOnePlanForAllSizesWithoutJoins() {
        for (int bound : new int[] {20_000, 10, 1000}) {
            assertThat(engine.rows(session, "select max(v) from big where v < " + bound))
                    .containsExactly(Integer.toString(bound == 20_000 ? 19_990 : bound - 10));
        }
        assertThat(engine.plans().misses()).isEqualTo(1);
    }
}
