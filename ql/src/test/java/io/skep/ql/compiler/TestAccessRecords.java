package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.ql.AccessRecord;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the audit log gets of each statement of docs/security-matrix.md: its operation, and all of its needs. */
final class TestAccessRecords {
    private static final String ADMIN = "ADMIN";

    private static AccessRecord compile(SqlSession session, String sql) {
        AccessRecord access = new AccessRecord();
        try (SqlStatement statement = session.compile(new QueryId("q"), sql, access)) {
            assertThat(statement.operationName()).isNotEmpty();
        } catch (SkepException e) {
            // A refused statement has a record too.
        }
        return access;
    }

    private static void create(TestingEngine engine, SqlSession session) {
        engine.run(session, "create database m");
        engine.run(session, "create table m.t (a int, b string)");
        engine.run(session, "create table m.p (a int, b string) partitioned by (c int)");
        engine.run(session, "create table m.x (a int, b string) stored as orc tblproperties ('transactional'='true')");
        engine.run(session, "alter table m.p add partition (c = 1)");
        engine.run(session, "create view m.v as select a, b from m.t");
        Holder.createMaterializedView(engine, "m");
    }

    /** Returns needs as the page writes them. */
    private static SortedSet<String> shown(List<AccessRecord.Need> needs) {
        return needs.stream()
                .flatMap(need -> need.privileges().stream().map(privilege -> shown(need, privilege)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Privileges on paths cannot be granted, so that the page says ADMIN. */
    private static String shown(AccessRecord.Need need, String privilege) {
        if (need.type().endsWith("_URI") || privilege.equals("ADMIN PRIVILEGE")) {
            return ADMIN;
        }
        return privilege.equals("OBJECT OWNERSHIP")
                ? "OWNER " + need.name()
                : privilege.replace(" with grant", " GRANT") + " " + need.name() + columns(need);
    }

    /** A virtual column needs the privilege on the table. */
    private static String columns(AccessRecord.Need need) {
        List<String> names = need.columns().orElse(List.of("input__file__name"));
        if (names.contains("input__file__name")) {
            return "";
        }
        return "(" + (names.isEmpty() ? "*" : String.join(",", names)) + ")";
    }

    private static void assertRecords(MatrixRow row, AccessRecord access) {
        assertThat(access.operation()).as(row.statement()).isEqualTo(Optional.of(row.operation()));
        SortedSet<String> shown = shown(access.needs());
        if (row.needs().contains(ADMIN)) {
            assertThat(shown).as(row.statement()).contains(ADMIN);
        } else {
            assertThat(shown).as(row.statement()).isEqualTo(new TreeSet<>(row.needs()));
        }
    }

    /** Denied statements have a record too. Some are checked before all of their needs are known. */
    @Test
    void nameWhatStatementsNeed() throws IOException {
        try (TestingEngine engine = TestingEngine.authorized(PlanningLimits.DEFAULT);
                SqlSession admin = engine.session("root");
                SqlSession nobody = engine.session("nobody")) {
            engine.run(admin, "set role admin");
            create(engine, admin);
            for (MatrixRow row : MatrixRow.all()) {
                assertRecords(row, compile(admin, row.statement()));
                AccessRecord denied = compile(nobody, row.statement());
                assertThat(denied.operation()).as(row.statement()).isEqualTo(Optional.of(row.operation()));
                assertThat(denied.needs().isEmpty())
                        .as(row.statement())
                        .isEqualTo(row.needs().isEmpty());
            }
        }
    }

    @Test
    void nameTheSameWithoutAuthorization() throws IOException {
        try (TestingEngine engine = TestingEngine.recording(PlanningLimits.DEFAULT);
                SqlSession session = engine.session("anyone")) {
            create(engine, session);
            for (MatrixRow row : MatrixRow.all()) {
                assertRecords(row, compile(session, row.statement()));
            }
        }
    }

    @Test
    void haveTheOperationOfEachStatement() throws IOException {
        try (TestingEngine engine = TestingEngine.recording(PlanningLimits.DEFAULT);
                SqlSession session = engine.session("anyone")) {
            create(engine, session);
            for (String example : MatrixRow.examples()) {
                if (example.contains(" ") || example.equals("RESET")) {
                    assertThat(compile(session, example).operation())
                            .as(example)
                            .isPresent();
                }
            }
            assertThat(compile(session, "selec a from m.t").operation()).isEmpty();
            assertThat(compile(session, "select z from m.t").operation()).hasValue("QUERY");
        }
    }

    /** A plan that was cached is recorded with the columns that it reads. */
    @Test
    void nameTheColumnsOfCachedPlans() {
        try (TestingEngine engine = TestingEngine.recording(PlanningLimits.DEFAULT);
                SqlSession session = engine.session("anyone")) {
            create(engine, session);
            for (int i = 0; i < 3; i++) {
                assertThat(shown(compile(session, "select a from m.t where b = 'x" + i + "'")
                                .needs()))
                        .containsExactly("SELECT m.t(a,b)");
            }
            AccessRecord cached = new AccessRecord();
            try (SqlStatement statement = session.compileWithCachedPlan(
                            new QueryId("q"), "select a from m.t where b = 'y'", cached)
                    .orElseThrow()) {
                assertThat(statement.plan()).isPresent();
                assertThat(shown(cached.needs())).containsExactly("SELECT m.t(a,b)");
            }
        }
    }

    @Test
    void areEmptyWithoutAnAuditLog() {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session("anyone")) {
            create(engine, session);
            AccessRecord access = compile(session, "select a from m.t");
            assertThat(access.operation()).isEmpty();
            assertThat(access.needs()).isEmpty();
        }
    }
}
