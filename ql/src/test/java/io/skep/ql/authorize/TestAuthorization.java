package io.skep.ql.authorize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.metastore.Table;
import io.skep.ql.AccessRecord;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests grants on columns, cached plans, visible objects, and changes between check and run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestAuthorization {
    private TestingEngine engine;
    private SqlSession admin;
    private int tables;

    @BeforeAll
    void open() {
        engine = TestingEngine.authorized(PlanningLimits.DEFAULT);
        admin = engine.session("root");
        run(admin, "set role admin");
    }

    @AfterAll
    void close() {
        admin.close();
        engine.close();
    }

    private void run(SqlSession session, String... statements) {
        for (String statement : statements) {
            engine.run(session, statement);
        }
    }

    /** Creates a table of the columns a, b and c with one row. */
    private String table() {
        String name = "t" + tables++;
        run(admin, "create table " + name + " (a int, b string, c int)", "insert into " + name + " values (1, 'x', 2)");
        return name;
    }

    private static void denied(ThrowingCallable call) {
        denied(call, "Permission denied: ");
    }

    private static void denied(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
            assertThat(e.fullMessage()).contains(words);
        });
    }

    @Test
    void columnsAreGranted() {
        String t = table();
        run(admin, "grant select (a, b) on table " + t + " to user ann");
        try (SqlSession ann = engine.session("ann")) {
            assertThat(engine.rows(ann, "select a, b from " + t)).containsExactly("1 | x");
            assertThat(engine.rows(ann, "select count(*) from " + t)).containsExactly("1");
            denied(() -> run(ann, "select * from " + t), "default." + t, "missing on default." + t + ".c");
            denied(() -> run(ann, "select a from " + t + " where c = 2"), "missing on default." + t + ".c");
            denied(() -> run(ann, "select a from " + t + " order by c"), "missing on default." + t + ".c");
            denied(() ->
                    run(ann, "select x.a from " + t + " x where exists (select 1 from " + t + " y where y.c = x.a)"));
            denied(() -> run(ann, "select input__file__name from " + t));
            run(admin, "revoke select (b) on table " + t + " from user ann");
            denied(() -> run(ann, "select a, b from " + t), "missing on default." + t + ".b");
            assertThat(engine.rows(ann, "select a from " + t)).containsExactly("1");
            run(admin, "revoke select (a) on table " + t + " from user ann");
            denied(() -> run(ann, "select a from " + t));
            denied(() -> run(ann, "select count(*) from " + t));
        }
    }

    @Test
    void grantsGoWithTheirColumns() {
        String t = table();
        run(admin, "grant select (a, c) on table " + t + " to user ann");
        try (SqlSession ann = engine.session("ann")) {
            run(admin, "alter table " + t + " rename to renamed");
            run(ann, "select a, c from renamed");
            run(admin, "alter table renamed change c z int", "alter table renamed add columns (c int)");
            run(ann, "select a from renamed");
            denied(() -> run(ann, "select c from renamed"), "missing on default.renamed.c");
            denied(() -> run(ann, "select z from renamed"), "missing on default.renamed.z");
        }
    }

    @Test
    void cachedPlansAreCheckedForEachUser() {
        String t = table();
        String query = "select b from " + t + " where a = 1";
        run(admin, "grant select on table " + t + " to user ann");
        try (SqlSession ann = engine.session("ann");
                SqlSession bob = engine.session("bob")) {
            run(ann, query, query);
            long hits = engine.plans().hits();
            run(ann, query);
            assertThat(engine.plans().hits()).isGreaterThan(hits);
            denied(() -> run(bob, query));
            denied(() -> bob.compileWithCachedPlan(new QueryId("q"), query, new AccessRecord()));
            denied(() -> run(bob, query.replace("1", "2")));
            hits = engine.plans().hits();
            run(ann, query);
            assertThat(engine.plans().hits()).as("a denied use keeps the plan").isGreaterThan(hits);
            run(admin, "revoke select on table " + t + " from user ann");
            denied(() -> run(ann, query));
        }
    }

    @Test
    void viewsAreReadWithTheirOwnersRights() {
        String t = table();
        String v = "v_" + t;
        String w = "w_" + t;
        run(
                admin,
                "create view " + v + " as select a, c + 1 as d from " + t,
                "create view " + w + " as select * from " + v);
        run(admin, "grant select (d) on table " + w + " to user ann");
        try (SqlSession ann = engine.session("ann")) {
            assertThat(engine.rows(ann, "select d from " + w)).containsExactly("3");
            denied(() -> run(ann, "select a from " + w));
            denied(() -> run(ann, "select d from " + v));
            denied(() -> run(ann, "select a from " + t));
            denied(() -> run(ann, "select w.d from " + w + " w join " + t + " t on w.d = t.c"));
            denied(() -> run(ann, "create view x as select d from " + w));
        }
    }

    @Test
    void onlyWhatAUserMaySeeIsListed() {
        run(admin, "create database listed", "create table listed.t (a int)", "create table listed.u (a int)");
        run(admin, "create view listed.v as select a from listed.t", "create table listed.w (a int)");
        run(admin, "grant select on table listed.t to user ann", "grant select (a) on table listed.v to user ann");
        run(admin, "alter table listed.w set owner user ann");
        try (SqlSession ann = engine.session("ann");
                SqlSession bob = engine.session("bob")) {
            assertThat(engine.rows(ann, "show tables in listed")).containsExactly("t", "v", "w");
            assertThat(engine.rows(ann, "show views in listed")).containsExactly("v");
            assertThat(engine.rows(bob, "show tables in listed")).isEmpty();
            assertThat(engine.rows(bob, "show table extended in listed like '%'"))
                    .isEmpty();
            assertThat(engine.rows(admin, "show tables in listed")).containsExactly("t", "u", "v", "w");
            Table t = engine.catalog().table("listed", "t").orElseThrow();
            Table u = engine.catalog().table("listed", "u").orElseThrow();
            assertThat(ann.visibleTables()).accepts(t).rejects(u);
            assertThat(bob.visibleTables()).rejects(t, u);
        }
    }

    @Test
    void temporaryTablesBelongToTheirSession() {
        try (SqlSession ann = engine.session("ann")) {
            String t = "own";
            run(ann, "create temporary table " + t + " (z int)", "insert into " + t + " values (7)");
            assertThat(engine.rows(ann, "select * from " + t)).containsExactly("7");
            assertThat(engine.rows(ann, "show tables like '" + t + "'")).containsExactly(t);
            run(ann, "describe " + t, "truncate table " + t, "drop table " + t);
            denied(() -> run(ann, "create temporary table x (a int) location '/nowhere'"));
        }
    }

    @Test
    void anotherTableOfTheNameIsNotTheOneThatWasChecked() {
        String t = "taken";
        run(admin, "create table " + t + " (a int)", "alter table " + t + " set owner user ann");
        try (SqlSession ann = engine.session("ann");
                SqlStatement truncate = ann.compile(new QueryId("q"), "truncate table " + t)) {
            run(admin, "drop table " + t, "create table " + t + " (a int)");
            denied(() -> truncate.run(line -> {}), "has not been checked");
        }
    }

    @Test
    void sessionsCannotSwitchItOff() {
        try (SqlSession ann = engine.session("ann")) {
            for (String name : List.of(
                    "hive.security.authorization.enabled",
                    "hive.security.authorization.manager",
                    "hive.security.authorization.sqlstd.confwhitelist.append",
                    "hive.users.in.admin.role",
                    "hive.metastore.warehouse.dir",
                    "hive.exec.pre.hooks")) {
                assertThatThrownBy(() -> run(ann, "set " + name + "=false"))
                        .as(name)
                        .hasMessageContaining("Cannot modify " + name + " at runtime");
            }
            run(ann, "set hive.exec.parallel=true", "set hivevar:x=1", "reset");
        }
    }

    @Test
    void revokedRolesCountNoMore() {
        String t = table();
        run(admin, "create role readers", "grant role readers to user ann");
        run(admin, "grant select on table " + t + " to role readers");
        try (SqlSession ann = engine.session("ann")) {
            run(ann, "set role readers", "select a from " + t);
            run(admin, "revoke role readers from user ann");
            denied(() -> run(ann, "select a from " + t));
            run(admin, "grant role readers to user ann");
            run(ann, "select a from " + t);
            run(admin, "drop role readers");
            denied(() -> run(ann, "select a from " + t));
        }
    }

    @Test
    void ownersAreRolesOrUsers() {
        run(admin, "create role keepers", "grant role keepers to user ann", "create table kept (a int)");
        run(admin, "alter table kept set owner role keepers");
        try (SqlSession ann = engine.session("ann");
                SqlSession keepers = engine.session("keepers")) {
            denied(() -> run(keepers, "truncate table kept"));
            run(ann, "truncate table kept", "drop table kept");
        }
        run(admin, "drop role keepers");
    }
}
