package io.skep.ql.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingAuthorizer;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What users see of system tables while their rights count. */
final class TestSystemTableRights {
    private static final String TABLES =
            "select table_schema, table_name from information_schema.tables where table_schema <> 'x' order by 1, 2";

    private static void denied(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class,
                        error -> assertThat(error.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
    }

    private static void run(TestingEngine engine, SqlSession session, String... statements) {
        for (String statement : statements) {
            engine.run(session, statement);
        }
    }

    @Test
    void rowsAreThoseOfTablesWithGrants() throws IOException {
        try (TestingEngine engine = TestingEngine.authorized(PlanningLimits.DEFAULT);
                SqlSession root = engine.session("root");
                SqlSession ann = engine.session("ann");
                SqlSession bob = engine.session("bob")) {
            run(engine, root, "set role admin", "create database m", "create database n");
            run(engine, root, "create table m.t (a int, b string)", "create table m.u (a int)");
            run(engine, root, "create table n.t (a int)", "create role readers", "grant readers to user bob");
            run(engine, root, "grant select on table m.t to user ann with grant option");
            run(engine, root, "grant select (a) on table m.u to role readers");
            assertThat(engine.rows(root, TABLES)).containsExactly("m | t", "m | u", "n | t");
            assertThat(engine.rows(ann, TABLES)).containsExactly("m | t");
            assertThat(engine.rows(bob, TABLES)).containsExactly("m | u");
            // The plan is the same, and what it reads is not.
            assertThat(engine.rows(ann, TABLES)).containsExactly("m | t");
            String columns = "select table_name, column_name from information_schema.columns where table_name in"
                    + " ('t', 'u') order by 1, 2";
            assertThat(engine.rows(ann, columns)).containsExactly("t | a", "t | b");
            assertThat(engine.rows(bob, columns)).containsExactly("u | a");
            String hidden = "select count(*) from information_schema.columns where table_schema = 'n'";
            assertThat(engine.rows(bob, hidden)).containsExactly("0");
            assertThat(engine.rows(root, hidden)).containsExactly("1");
            String grants = "select grantee, table_name, privilege_type, is_grantable from"
                    + " information_schema.table_privileges where table_schema = 'm' and privilege_type = 'SELECT'";
            assertThat(engine.rows(ann, grants)).containsExactly("ann | t | SELECT | YES");
            assertThat(engine.rows(bob, grants)).isEmpty();
            assertThat(engine.rows(
                            bob,
                            "select grantee, table_name, column_name, privilege_type from"
                                    + " information_schema.column_privileges"))
                    .containsExactly("readers | u | a | SELECT");
            run(engine, root, "alter table n.t set owner user bob", "alter table m.t set owner role readers");
            assertThat(engine.rows(bob, TABLES)).containsExactly("m | t", "m | u", "n | t");
            run(engine, bob, "set role none");
            assertThat(engine.rows(bob, TABLES)).containsExactly("n | t");
            run(engine, root, "revoke select on table m.t from user ann");
            assertThat(engine.rows(ann, TABLES)).isEmpty();
        }
    }

    @Test
    void sysIsForAdmins() throws IOException {
        try (TestingEngine engine = TestingEngine.authorized(PlanningLimits.DEFAULT);
                SqlSession root = engine.session("root");
                SqlSession ann = engine.session("ann")) {
            denied(() -> engine.rows(ann, "select * from sys.dbs"));
            denied(() -> engine.rows(root, "select * from sys.dbs"));
            denied(() -> engine.rows(ann, "describe sys.tbls"));
            assertThat(engine.rows(ann, "show tables in sys")).isEmpty();
            assertThat(engine.rows(ann, "show tables in information_schema")).contains("tables");
            assertThat(engine.rows(ann, "describe information_schema.schemata")).hasSize(7);
            run(engine, root, "set role admin", "create view v as select name from sys.dbs");
            run(engine, root, "grant select on v to user ann");
            assertThat(engine.rows(root, "select name from sys.dbs")).containsExactly("default");
            assertThat(engine.rows(root, "show tables in sys")).contains("dbs");
            // A view has the rights of its owner.
            assertThat(engine.rows(ann, "select name from v")).containsExactly("default");
            for (String change : List.of("drop table sys.dbs", "insert into information_schema.tables select 1")) {
                assertThatThrownBy(() -> run(engine, ann, change)).hasMessageContaining("belongs to the system");
            }
        }
    }

    @Test
    void scheduledQueriesAreForTheirOwners() throws IOException {
        String query = "select schedule_name, `user` from information_schema.scheduled_queries order by 1";
        try (TestingEngine engine = TestingEngine.authorized(PlanningLimits.DEFAULT);
                SqlSession root = engine.session("root");
                SqlSession ann = engine.session("ann")) {
            run(engine, root, "set role admin", "create scheduled query s every 1 day as select 1");
            assertThat(engine.rows(root, query)).containsExactly("s | root");
            assertThat(engine.rows(ann, query)).isEmpty();
            run(engine, root, "set role none");
            assertThat(engine.rows(root, query)).containsExactly("s | root");
        }
    }

    @Test
    void theAuthorizerOfTheSiteDecides() throws IOException {
        TestingAuthorizer.Site site = new TestingAuthorizer.Site();
        try (TestingEngine engine = TestingEngine.of(PlanningLimits.DEFAULT, site.settings("system"));
                SqlSession root = engine.session("root");
                SqlSession ann = engine.session("ann")) {
            run(engine, root, "create database m", "create table m.t (a int)", "create table m.u (a int)");
            assertThat(engine.rows(ann, TABLES)).containsExactly("m | t", "m | u");
            site.deny("ann m.t");
            assertThat(engine.rows(ann, TABLES)).containsExactly("m | u");
            site.deny("ann sys.dbs");
            denied(() -> engine.rows(ann, "select name from sys.dbs"));
            assertThat(engine.rows(root, "select count(*) from sys.dbs where name = 'm'"))
                    .containsExactly("1");
            site.filter("ann information_schema.schemata", "schema_name <> 'm'");
            assertThat(engine.rows(ann, "select schema_name from information_schema.schemata"))
                    .containsExactly("default");
        }
    }
}
