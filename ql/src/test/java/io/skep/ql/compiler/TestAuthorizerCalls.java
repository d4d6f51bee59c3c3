package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingAuthorizer;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * An authorizer of a site is asked about each statement of docs/testing/authorizer-calls.md what Hive asks, except for
 * the differences that the page lists.
 */
final class TestAuthorizerCalls {
    @Test
    void areThoseOfHive() throws IOException {
        TestingAuthorizer.Site site = new TestingAuthorizer.Site();
        Map<String, String> settings = new HashMap<>(site.settings("calls"));
        Map<String, AuthorizerCall> hive = AuthorizerCall.ofHive();
        assertThat(hive).hasSizeGreaterThan(80);
        List<String> wrong = new ArrayList<>();
        Map<String, AuthorizerCall> differences = AuthorizerCall.differences();
        assertThat(hive.keySet()).containsAll(differences.keySet());
        try (TestingEngine engine = TestingEngine.of(PlanningLimits.DEFAULT, settings);
                SqlSession root = engine.session("root");
                SqlSession session = engine.session("probe")) {
            engine.run(root, "create database m");
            engine.run(root, "create table m.t (a int, b string)");
            engine.run(root, "create table m.p (a int, b string) partitioned by (c int)");
            engine.run(root, "alter table m.p add partition (c = 1)");
            engine.run(root, "create view m.v as select a, b from m.t");
            hive.forEach((statement, asked) -> {
                site.takeCalls();
                compile(session, statement);
                AuthorizerCall recorded = AuthorizerCall.recorded(site.takeCalls());
                AuthorizerCall expected = differences.getOrDefault(statement, asked);
                if (!recorded.equals(expected) || differences.containsKey(statement) && expected.equals(asked)) {
                    wrong.add("| `" + statement + "` | " + recorded + " | instead of " + expected);
                }
            });
        }
        assertThat(wrong).isEmpty();
    }

    private static void compile(SqlSession session, String sql) {
        try (SqlStatement statement = session.compile(new QueryId("q"), sql)) {
            assertThat(statement.operationName()).isNotEmpty();
        } catch (SkepException e) {
            // Some statements of the page are about files that do not exist.
        }
    }
}
