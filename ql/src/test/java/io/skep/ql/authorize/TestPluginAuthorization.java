package io.skep.ql.authorize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.AccessRecord;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingAuthorizer;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions of a server whose authorizer is a plug-in of Hive's interface. */
final class TestPluginAuthorization {
    private final TestingAuthorizer.Site site = new TestingAuthorizer.Site();
    private TestingEngine engine;
    private SqlSession root;
    private SqlSession ann;

    @BeforeEach
    void open() {
        engine = TestingEngine.of(PlanningLimits.DEFAULT, site.settings("plugin"));
        root = engine.session("root");
        ann = engine.session("ann");
        run(root, "create database m", "create table m.t (a int, b string)", "create table m.u (a int)");
        run(root, "insert into m.t values (1, 'x'), (2, 'y'), (3, 'z')");
        site.takeCalls();
    }

    @AfterEach
    void close() throws IOException {
        ann.close();
        root.close();
        engine.close();
    }

    private void run(SqlSession session, String... statements) {
        for (String statement : statements) {
            engine.run(session, statement);
        }
    }

    private List<String> rows(SqlSession session, String sql) {
        return engine.rows(session, sql);
    }

    @Test
    void decidesInThePlaceOfGrants() {
        assertThat(rows(ann, "select a from m.t order by a")).containsExactly("1", "2", "3");
        site.deny("ann m.t.b");
        assertThatThrownBy(() -> rows(ann, "select a from m.t where b = 'x'"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED))
                .hasMessageContaining("HiveAccessControlException Permission denied: user [ann] may not QUERY"
                        + " TABLE_OR_VIEW m.t(a, b)");
        assertThat(rows(ann, "select a from m.t where a > 1 order by a")).containsExactly("2", "3");
        site.deny("ann m.t");
        assertThatThrownBy(() -> run(ann, "insert into m.t values (4, 'w')")).hasMessageContaining("m.t INSERT");
        assertThatThrownBy(() -> run(ann, "drop table m.t")).hasMessageContaining("DROPTABLE");
        assertThat(rows(root, "select count(*) from m.t")).containsExactly("3");
    }

    @Test
    void isAskedForEachUseOfACachedPlan() {
        String query = "select a from m.t where a = ";
        assertThat(rows(root, query + 1)).containsExactly("1");
        assertThat(rows(root, query + 2)).containsExactly("2");
        site.takeCalls();
        try (SqlStatement cached = ann.compileWithCachedPlan(new QueryId("q"), query + 3, new AccessRecord())
                .orElseThrow()) {
            assertThat(engine.rowsOf(cached)).containsExactly("3");
        }
        assertThat(site.takeCalls()).contains("checkPrivileges QUERY [TABLE_OR_VIEW m.t(a)] []");
        assertThat(site.context().getCommandString()).isEqualTo(query + 3);
        site.deny("ann m.t");
        assertThatThrownBy(() -> ann.compileWithCachedPlan(new QueryId("q"), query + 3, new AccessRecord()))
                .hasMessageContaining("Permission denied: user [ann]");
    }

    @Test
    void filtersRowsAndMasksColumnsOfUsers() {
        site.filter("ann m.t", "a <> 2");
        site.mask("ann m.t.b", "concat('*', a)");
        String query = "select a, b from m.t where a < ";
        for (int i = 0; i < 2; i++) {
            assertThat(rows(root, query + "3 order by a")).containsExactly("1 | x", "2 | y");
            assertThat(rows(ann, query + "4 order by a")).containsExactly("1 | *1", "3 | *3");
        }
        assertThat(rows(ann, "select a from m.t where b = 'x'")).isEmpty();
        assertThat(rows(ann, "select count(*), min(b) from m.t")).containsExactly("2 | *1");
        run(root, "create view m.v as select * from m.t");
        assertThat(rows(ann, "select b from m.v order by b")).containsExactly("*1", "*3");
        // The next use of a plan has the next answer.
        site.filter("ann m.t", "a = 3");
        assertThat(rows(ann, query + "4 order by a")).containsExactly("3 | *3");
        assertThatThrownBy(() -> run(ann, "insert overwrite table m.t select a, b from m.t"))
                .hasMessageContaining("row filter");
        assertThat(rows(root, "select count(*) from m.t")).containsExactly("3");
    }

    @Test
    void policiesOfTablesHoldToo() {
        run(root, "alter table m.t set row filter (a > 1)");
        site.filter("ann m.t", "a < 3 or false");
        assertThat(rows(ann, "select a from m.t")).containsExactly("2");
        site.filter("ann m.t", "a < 3 -- all but the last");
        assertThat(rows(ann, "select a from m.t")).containsExactly("2");
        assertThat(rows(root, "select a from m.t order by a")).containsExactly("2", "3");
        run(root, "alter table m.t alter column b set mask ('own')");
        site.mask("ann m.t.b", "'other'");
        assertThat(rows(root, "select b from m.t limit 1")).containsExactly("own");
        assertThatThrownBy(() -> rows(ann, "select b from m.t"))
                .hasMessageContaining(
                        "the column 'b' of m.t has a mask of the table and one of the server's authorizer");
    }

    @Test
    void wrongPoliciesRefuseTheQuery() {
        site.filter("ann m.t", "no_such_column = 1");
        assertThatThrownBy(() -> rows(ann, "select a from m.t")).hasMessageContaining("no_such_column");
        site.filter("ann m.t", "");
        site.mask("ann m.t.b", "array(1)");
        assertThatThrownBy(() -> rows(ann, "select b from m.t"))
                .hasMessageContaining("mask of 'm.t' is no longer valid");
        site.mask("ann m.t.b", "b");
        assertThat(rows(ann, "select b from m.t order by a")).containsExactly("x", "y", "z");
    }

    @Test
    void hidesTablesAndDatabasesFromLists() {
        site.deny("ann m.u");
        assertThat(rows(ann, "show tables in m")).containsExactly("t");
        assertThat(rows(root, "show tables in m")).containsExactly("t", "u");
        run(ann, "create temporary table own (a int)");
        assertThat(rows(ann, "show tables")).contains("own");
        run(root, "create database hidden");
        site.deny("ann hidden");
        assertThat(rows(ann, "show databases")).containsExactly("default", "m");
        assertThat(ann.visibleDatabases()).accepts("m").rejects("hidden", "gone");
        assertThatThrownBy(() -> run(ann, "use hidden")).hasMessageContaining("SWITCHDATABASE");
    }

    @Test
    void statisticsOfMaskedColumnsAreHidden() {
        run(root, "analyze table m.t compute statistics for columns");
        assertThat(engine.printed(ann, "describe formatted m.t a")).contains("min|1");
        site.mask("ann m.t.a", "0");
        assertThat(engine.printed(ann, "describe formatted m.t a")).doesNotContain("min|1");
    }

    @Test
    void statementsAboutRolesCallTheirMethods() {
        site.roles("ann", "readers");
        run(root, "create role readers", "grant role readers to user ann with admin option", "set role readers");
        run(root, "revoke admin option for readers from user ann", "drop role readers");
        assertThat(site.takeCalls())
                .containsExactly(
                        "createRole readers USER:root",
                        "grantRole [USER:ann] [readers] true USER:root",
                        "setCurrentRole readers",
                        "revokeRole [USER:ann] [readers] true USER:root",
                        "dropRole readers");
        run(root, "grant select (a), insert on table m.t to group staff with grant option");
        run(root, "revoke all on database m from role readers");
        assertThat(site.takeCalls())
                .containsExactly(
                        "grantPrivileges [GROUP:staff] [SELECT[a], INSERT] TABLE_OR_VIEW m.t USER:root true",
                        "revokePrivileges [ROLE:readers] [ALL] DATABASE m USER:root false");
        assertThat(rows(ann, "show current roles")).containsExactly("readers");
        assertThat(rows(ann, "show roles")).containsExactly("ann");
        assertThat(rows(ann, "show principals readers")).containsExactly("ann | USER | 0 | root | USER | 7000");
        assertThat(rows(ann, "show role grant user bob")).containsExactly("readers | 0 | 7000 | root");
        assertThat(rows(ann, "show grant user bob on table m.t"))
                .containsExactly("m | t |  |  | bob | USER | SELECT | 1 | 7000 | bob");
        assertThatThrownBy(() -> run(ann, "grant select on table m.t to user bob"))
                .hasMessageContaining("ann does not own TABLE_OR_VIEW m.t");
    }

    @Test
    void rolesOfPoliciesAreTheAuthorizers() {
        run(root, "alter table m.t set row filter (is_member('Readers'))");
        assertThat(rows(ann, "select a from m.t")).isEmpty();
        site.roles("ann", "readers");
        assertThat(rows(ann, "select a from m.t order by a")).containsExactly("1", "2", "3");
    }

    @Test
    void aFailureRefusesTheStatement() {
        site.fail(Optional.of(new IllegalStateException("no policies yet")));
        for (String statement : List.of("select a from m.t", "show databases", "drop table m.t", "show roles")) {
            assertThatThrownBy(() -> run(ann, statement))
                    .as(statement)
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.AUTHORIZER_FAILED))
                    .hasMessageContaining("the authorizer of the server has failed: no policies yet");
        }
        site.fail(Optional.empty());
        assertThat(rows(ann, "select count(*) from m.t")).containsExactly("3");
    }

    @Test
    void commandsAndFunctionsAreAsked() {
        site.deny("ann m.f");
        assertThatThrownBy(() -> run(ann, "create function m.f as 'org.apache.hadoop.hive.ql.udf.UDFAscii'"))
                .hasMessageContaining("CREATEFUNCTION");
        run(ann, "reset");
        assertThat(site.takeCalls()).contains("checkPrivileges RESET [COMMAND_PARAMS params=[]] []");
        assertThatThrownBy(() -> run(ann, "set hive.metastore.warehouse.dir=/x"))
                .hasMessageContaining("Cannot modify");
    }

    @Test
    void aClassThatIsNoAuthorizerStopsTheStart() {
        Map<String, String> settings = new HashMap<>(site.settings("plugin"));
        for (String name : List.of("no.such.Factory", "java.lang.String")) {
            settings.put("hive.security.authorization.manager", name);
            assertThatThrownBy(() -> TestingEngine.of(PlanningLimits.DEFAULT, settings))
                    .as(name)
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                    .hasMessageContaining(name + " cannot be used as a HiveAuthorizerFactory");
        }
    }
}
