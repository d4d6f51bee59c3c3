package io.skep.ql.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tables as other engines put them into the metastore, whose files hold rows of several versions. */
final class TestVersionedTables {
    private static final String HUDI = "org.apache.hudi.hadoop.HoodieParquetInputFormat";

    private static final List<String> READS =
            List.of("select a from t", "select a from t where a > 5", "insert into t values (2)");

    private static final List<String> CHANGES = List.of(
            "truncate table t", "delete from t", "analyze table t compute statistics", "export table t to '/exported'");

    @Test
    void areRefused() {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session()) {
            engine.run(session, "create table t (a int) stored as parquet");
            engine.run(session, "insert into t values (1)");
            Table plain = engine.catalog().table("default", "t").orElseThrow();
            for (String[] marked : new String[][] {
                {"table_type", "ICEBERG"},
                {"spark.sql.sources.provider", "delta"},
                {"spark.sql.sources.provider", "hudi"}
            }) {
                Table versioned = with(plain, marked[0], marked[1]);
                String message = "format " + marked[1].toLowerCase(Locale.ROOT);
                refused(engine, session, plain, versioned, message, READS);
                refused(engine, session, plain, versioned, message, CHANGES);
            }
            Table read = with(plain, "spark.sql.sources.provider", "parquet");
            engine.catalog().alterTable("default", "t", read, false);
            assertThat(engine.rows(session, "select a from t")).containsExactly("1");
            TableFormat format = plain.storage().format();
            StorageDescriptor hudi = plain.storage()
                    .withFormat(new TableFormat(HUDI, format.outputFormat(), format.serde(), format.properties()));
            refused(engine, session, plain, plain.withStorage(hudi), HUDI, READS);
        }
    }

    private static Table with(Table table, String property, String value) {
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.put(property, value);
        return table.withProperties(properties);
    }

    /** @param message a part of the error of a query */
    private static void refused(
            TestingEngine engine,
            SqlSession session,
            Table plain,
            Table versioned,
            String message,
            List<String> statements) {
        engine.catalog().alterTable("default", "t", versioned, false);
        for (String sql : statements) {
            assertThatThrownBy(() -> engine.rows(session, sql))
                    .as(sql)
                    .isInstanceOf(SkepException.class)
                    .hasMessageContaining(message);
        }
        engine.catalog().alterTable("default", "t", plain, false);
        assertThat(engine.rows(session, "select a from t")).containsExactly("1");
    }
}
