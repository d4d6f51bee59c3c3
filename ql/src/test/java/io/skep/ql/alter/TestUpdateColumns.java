package io.skep.ql.alter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ALTER TABLE UPDATE COLUMNS takes over a schema of Avro that another client of the metastore has changed. */
final class TestUpdateColumns {
    private static final String ONE =
            "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}";
    private static final String TWO =
            "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"},"
                    + "{\"name\":\"B\",\"type\":[\"null\",\"string\"],\"default\":null,\"doc\":\"new\"}]}";

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private void create(String partitions) {
        engine.run(
                session,
                "create table t " + partitions + " stored as avro tblproperties ('avro.schema.literal'='" + ONE + "')");
    }

    /** Changes the schema as a client that knows nothing of Avro. */
    private void schema(String text) {
        Table table = engine.catalog().table("default", "t").orElseThrow();
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.put("avro.schema.literal", text);
        engine.catalog().alterTable("default", "t", table.withProperties(properties), false);
    }

    private List<String> columns(String what) {
        return engine.printed(session, "describe " + what);
    }

    @Test
    void aChangedSchemaIsTakenOver() {
        create("partitioned by (p int)");
        engine.run(session, "insert into t partition (p=1) values (1)");
        engine.run(session, "insert into t partition (p=2) values (2)");
        assertThat(columns("t")).doesNotContain("b|string|new");
        schema(TWO);
        assertThat(columns("t")).doesNotContain("b|string|new");
        engine.run(session, "alter table t partition (p=1) update columns");
        assertThat(columns("t partition (p=1)")).contains("b|string|new");
        assertThat(columns("t partition (p=2)")).doesNotContain("b|string|new");
        assertThat(columns("t")).doesNotContain("b|string|new");
        engine.run(session, "alter table t update columns cascade");
        assertThat(columns("t")).contains("a|int|", "b|string|new");
        assertThat(columns("t partition (p=2)")).contains("b|string|new");
        engine.run(session, "insert into t partition (p=2) values (3, 'x')");
        assertThat(engine.printed(session, "select * from t order by a")).containsExactly("1||1", "2||2", "3|x|2");
    }

    @Test
    void aSchemaThatCannotBeReadLeavesTheColumns() {
        create("");
        schema("{");
        assertThatThrownBy(() -> engine.run(session, "alter table t update columns"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("schema");
        schema(ONE);
        assertThat(columns("t")).containsExactly("a|int|");
    }
}
