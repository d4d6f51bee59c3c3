package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.QueryId;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which columns clients are told of: those of the query, also when its rows are written, as in Hive. */
final class TestDescribedColumns {
    private static List<String> described(SqlSession session, String sql) {
        try (SqlStatement statement = session.compile(new QueryId("described"), sql)) {
            assertThat(statement.schema()).as(sql).isEmpty();
            return statement.described().orElseThrow().columns().stream()
                    .map(ResultColumn::name)
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "insert into t values (1, 'x') | col1,col2",
                "insert into t select k, v as other from t | k,other",
                "create table c as select k + 1 as n from t | n",
                "from t insert into t select k, v insert into u select v | k,v"
            })
    void writesAreDescribedByTheirQuery(String sql, String columns) {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session()) {
            engine.run(session, "create table t (k int, v string)");
            engine.run(session, "create table u (v string)");
            assertThat(described(session, sql)).containsExactly(columns.split(","));
        }
    }

    @Test
    void otherStatementsHaveNoColumns() {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session();
                SqlStatement statement = session.compile(new QueryId("plain"), "create table t (k int)")) {
            assertThat(statement.described()).isEmpty();
        }
    }
}
