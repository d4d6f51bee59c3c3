package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that Hive has made transactional: no statement reads or changes their folders as those of plain tables. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTransactionalTables {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeAll
    void makeTables() {
        engine.run(session, "create table acid (a int) partitioned by (p int) stored as orc");
        engine.run(session, "create table plain (a int) partitioned by (p int) stored as orc");
        engine.run(session, "create view v as select a from acid");
        engine.run(session, "insert into acid partition (p=1) values (1)");
        Table table = engine.catalog().table("default", "acid").orElseThrow();
        Map<String, String> properties = new HashMap<>(table.properties());
        properties.put("transactional", "true");
        engine.catalog().alterTable("default", "acid", table.withProperties(properties), false);
    }

    @AfterAll
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from acid",
                "select count(*) from acid",
                "select a from v",
                "select * from plain where a in (select a from acid)",
                "insert into acid partition (p=1) values (2)",
                "insert overwrite table acid partition (p) select a, a from plain",
                "insert into plain partition (p=1) select a from acid",
                "create table copy as select * from acid",
                "load data inpath '/nowhere' into table acid partition (p=1)",
                "truncate table acid",
                "analyze table acid compute statistics",
                "msck repair table acid",
                "alter table acid add partition (p=2)",
                "alter table acid drop partition (p=1)",
                "alter table acid partition (p=1) concatenate",
                "alter table acid rename to other",
                "alter table plain exchange partition (p=1) with table acid",
                "alter table acid exchange partition (p=1) with table plain"
            })
    void statementsOverTheirFilesAreRefused(String statement) {
        assertThatThrownBy(() -> engine.run(session, statement))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED))
                .hasMessageContaining("transactional");
    }

    @Test
    void theirDefinitionIsShown() {
        assertThat(engine.rows(session, "show partitions acid")).isEqualTo(List.of("p=1"));
        assertThat(String.join("\n", engine.rows(session, "describe formatted acid")))
                .contains("transactional");
    }
}
