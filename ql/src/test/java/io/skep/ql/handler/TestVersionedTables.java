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
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tables as other engines put them into the metastore, whose files hold rows of several versions. */
final class TestVersionedTables {
    private static final String HUDI = "org.apache.hudi.hadoop.HoodieParquetInputFormat";

    @Test
    void areRefused() {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session()) {
            engine.run(session, "create table t (a int) stored as parquet");
            engine.run(session, "insert into t values (1)");
            Table plain = engine.catalog().table("default", "t").orElseThrow();
            refused(engine, session, plain, with(plain, "table_type", "ICEBERG"), "format iceberg");
            refused(engine, session, plain, with(plain, "spark.sql.sources.provider", "delta"), "format delta");
            refused(engine, session, plain, with(plain, "spark.sql.sources.provider", "hudi"), "format hudi");
            Table read = with(plain, "spark.sql.sources.provider", "parquet");
            engine.catalog().alterTable("default", "t", read, false);
            assertThat(engine.rows(session, "select a from t")).containsExactly("1");
            TableFormat format = plain.storage().format();
            StorageDescriptor hudi = plain.storage()
                    .withFormat(new TableFormat(HUDI, format.outputFormat(), format.serde(), format.properties()));
            refused(engine, session, plain, plain.withStorage(hudi), HUDI);
        }
    }

    private static Table with(Table table, String property, String value) {
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.put(property, value);
        return table.withProperties(properties);
    }

    /** @param message a part of the error of a query */
    private static void refused(
            TestingEngine engine, SqlSession session, Table plain, Table versioned, String message) {
        engine.catalog().alterTable("default", "t", versioned, false);
        for (String sql : new String[] {"select a from t", "select a from t where a > 5", "insert into t values (2)"}) {
            assertThatThrownBy(() -> engine.rows(session, sql))
                    .as(sql)
                    .isInstanceOf(SkepException.class)
                    .hasMessageContaining(message);
        }
        engine.catalog().alterTable("default", "t", plain, false);
        assertThat(engine.rows(session, "select a from t")).containsExactly("1");
    }
}
