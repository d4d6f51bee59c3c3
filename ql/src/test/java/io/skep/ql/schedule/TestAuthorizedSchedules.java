package io.skep.ql.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may have scheduled queries while statements are checked. */
final class TestAuthorizedSchedules {
    private static final Map<String, String> AUTHORIZED =
            Map.of("hive.security.authorization.enabled", "true", "hive.users.in.admin.role", "root");
    private static final String CREATE = "CREATE SCHEDULED QUERY q EVERY DAY ";

    private static void denied(TestingEngine engine, SqlSession session, String sql) {
        assertThatThrownBy(() -> engine.run(session, sql))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
    }

    @Test
    void onlyTheRoleAdminHasThemAndOnlyItsOwn() {
        try (TestingEngine engine = TestingEngine.of(PlanningLimits.DEFAULT, AUTHORIZED);
                SqlSession root = engine.session("root");
                SqlSession bob = engine.session("bob")) {
            denied(engine, bob, CREATE + "AS SELECT 1");
            denied(engine, root, CREATE + "AS SELECT 1");
            engine.run(root, "SET ROLE admin");
            denied(engine, root, CREATE + "EXECUTED AS 'bob' AS SELECT 1");
            denied(engine, root, "SET hive.security.authorization.scheduled.queries.supported=true");
            engine.run(root, CREATE + "AS SELECT 1");
            for (String change : List.of("ENABLE", "EXECUTE", "AS SELECT 2", "EXECUTED AS 'bob'")) {
                denied(engine, bob, "ALTER SCHEDULED QUERY q " + change);
            }
            denied(engine, bob, "DROP SCHEDULED QUERY q");
            denied(engine, bob, "DROP SCHEDULED QUERY nothere");
            engine.run(root, "DROP SCHEDULED QUERY q");
        }
    }

    @Test
    void whereTheAuthorizerDecidesTheyMayRunAsOthers() {
        Map<String, String> site = new HashMap<>(AUTHORIZED);
        site.put("hive.security.authorization.scheduled.queries.supported", "true");
        try (TestingEngine engine = TestingEngine.of(PlanningLimits.DEFAULT, site);
                SqlSession root = engine.session("root");
                SqlSession bob = engine.session("bob")) {
            denied(engine, bob, CREATE + "AS SELECT 1");
            engine.run(root, "SET ROLE admin");
            engine.run(root, CREATE + "EXECUTED AS 'bob' AS SELECT 1");
            assertThat(engine.schedules().find("hive", "q").orElseThrow().user())
                    .isEqualTo("bob");
            denied(engine, bob, "ALTER SCHEDULED QUERY q AS SELECT 2");
            engine.run(root, "ALTER SCHEDULED QUERY q EXECUTED AS 'carol'");
            engine.run(root, "DROP SCHEDULED QUERY q");
        }
    }
}
