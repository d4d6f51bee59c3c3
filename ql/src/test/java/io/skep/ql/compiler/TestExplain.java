package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the forms of EXPLAIN. */
final class TestExplain {
    private static TestingEngine engine;
    private static SqlSession session;

    @BeforeAll
    static void start() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session();
        engine.run(session, "create table parted (v int) partitioned by (p int)");
        engine.run(session, "insert into parted partition (p) values (1, 1), (2, 2)");
    }

    @AfterAll
    static void stop() {
        session.close();
        engine.close();
    }

    private static String text(String sql) {
        return engine.run(session, sql).stream()
                .map(row -> row.getFirst().toString())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void dependencyNamesTablesAndThePartitionsThatAreLeft() {
        assertThat(text("explain dependency select v from parted where p = 2"))
                .isEqualTo("{\"input_tables\":[{\"tablename\":\"default@parted\",\"tabletype\":\"MANAGED_TABLE\"}],"
                        + "\"input_partitions\":[{\"partitionName\":\"default@parted@p=2\"}]}");
    }

    @Test
    void astIsTheTree() {
        assertThat(text("explain ast select 1"))
                .startsWith("ABSTRACT SYNTAX TREE:")
                .contains("\n      TOK_SELECT\n");
    }

    @Test
    void cboIsTheAlgebra() {
        assertThat(text("explain cbo select count(*) from parted"))
                .startsWith("CBO PLAN:")
                .contains("Aggregate")
                .contains("parted");
    }

    @Test
    void othersAreRefusedByName() {
        assertThatThrownBy(() -> text("explain locks select 1"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
    }
}
