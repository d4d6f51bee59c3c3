package io.skep.ql.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.AccessRecord;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests row filters and masks with users of several roles: what they see, which plans they share, what is shown. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPolicies {
    private static final String MASK = "case when is_member('hr') then ssn else concat('***', substr(ssn, 4)) end";

    private TestingEngine engine;
    private SqlSession admin;
    private SqlSession ann;
    private SqlSession bob;
    private int tables;

    @BeforeAll
    void open() {
        engine = TestingEngine.authorized(PlanningLimits.DEFAULT);
        admin = engine.session("root");
        run(admin, "set role admin", "create role hr", "create role staff");
        run(admin, "grant role hr to user ann", "grant role staff to role hr", "grant role staff to user bob");
        ann = engine.session("ann");
        bob = engine.session("bob");
    }

    @AfterAll
    void close() {
        bob.close();
        ann.close();
        admin.close();
        engine.close();
    }

    private void run(SqlSession session, String... statements) {
        for (String statement : statements) {
            engine.run(session, statement);
        }
    }

    private List<String> rows(SqlSession session, String sql) {
        return engine.rows(session, sql).stream().sorted().toList();
    }

    private String people() {
        String name = "people" + tables++;
        run(
                admin,
                "create table " + name + " (id int, region string, ssn string, owner string)",
                "insert into " + name + " values (1, 'EU', '111-1', 'ann'), (2, 'EU', '222-2', 'bob'),"
                        + " (3, 'US', '333-3', 'bob')",
                "grant all on table " + name + " to role public");
        return name;
    }

    private static void refused(StandardErrorCode code, ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).as(e.fullMessage()).isEqualTo(code);
            assertThat(List.of(words))
                    .allSatisfy(word -> assertThat(e.fullMessage()).contains(word));
        });
    }

    @Test
    void filtersApplyToEveryoneAndEverywhere() {
        String t = people();
        run(admin, "alter table " + t + " set row filter (is_member('hr') or region = 'EU')");
        assertThat(rows(ann, "select id from " + t)).containsExactly("1", "2", "3");
        for (SqlSession other : List.of(bob, admin)) {
            assertThat(rows(other, "select id from " + t)).containsExactly("1", "2");
            assertThat(rows(other, "select count(*), min(id), max(id), count(region) from " + t))
                    .containsExactly("2 | 1 | 2 | 2");
            assertThat(rows(other, "select count(*) from " + t)).containsExactly("2");
            assertThat(rows(other, "with q as (select * from " + t + ") select a.id from q a join q b on a.id = b.id"))
                    .containsExactly("1", "2");
            assertThat(rows(other, "select 1 where 3 in (select id from " + t + ")"))
                    .isEmpty();
            assertThat(rows(other, "select 1 where exists (select 1 from " + t + " x where x.id = 3)"))
                    .isEmpty();
            assertThat(rows(other, "select id from " + t + " union all select id + 10 from " + t))
                    .containsExactly("1", "11", "12", "2");
            assertThat(rows(other, "select id from " + t + " where region = 'US'"))
                    .isEmpty();
            assertThat(rows(other, "select id from " + t + " tablesample (5 rows)"))
                    .containsExactly("1", "2");
            assertThat(rows(other, "select x.r from " + t + " lateral view explode(array(region)) x as r"))
                    .containsExactly("EU", "EU");
            assertThat(rows(other, "select row_number() over (order by id) from " + t))
                    .containsExactly("1", "2");
            assertThat(rows(other, "select distinct region from " + t)).containsExactly("EU");
        }
        run(admin, "alter table " + t + " drop row filter");
        assertThat(rows(bob, "select id from " + t)).containsExactly("1", "2", "3");
    }

    @Test
    void masksReplaceValues() {
        String t = people();
        run(admin, "alter table " + t + " alter column ssn set mask (" + MASK + ")");
        assertThat(rows(ann, "select ssn from " + t)).containsExactly("111-1", "222-2", "333-3");
        assertThat(rows(bob, "select ssn from " + t)).containsExactly("***-1", "***-2", "***-3");
        assertThat(rows(bob, "select id from " + t + " where ssn = '111-1'")).isEmpty();
        assertThat(rows(bob, "select id from " + t + " where ssn = '***-1'")).containsExactly("1");
        assertThat(rows(bob, "select min(ssn), max(ssn), count(distinct ssn) from " + t))
                .containsExactly("***-1 | ***-3 | 3");
        assertThat(rows(bob, "select a.id from " + t + " a join (select '111-1' s) b on a.ssn = b.s"))
                .isEmpty();
        assertThat(rows(bob, "select id from " + t + " order by ssn desc limit 1"))
                .containsExactly("3");
        assertThat(rows(bob, "select * from " + t + " where id = 1")).containsExactly("1 | EU | ***-1 | ann");
        run(admin, "alter table " + t + " alter column ssn drop mask");
        assertThat(rows(bob, "select min(ssn) from " + t)).containsExactly("111-1");
    }

    @Test
    void filterAndMasksSeeStoredValues() {
        String t = people();
        run(
                admin,
                "alter table " + t + " set row filter (ssn like '%-2' or ssn like '%-3')",
                "alter table " + t + " alter column ssn set mask (concat(region, owner))",
                "alter table " + t + " alter column region set mask (null)",
                "alter table " + t + " alter column id set mask ('7')");
        assertThat(rows(bob, "select * from " + t)).containsExactly("7 | NULL | EUbob | bob", "7 | NULL | USbob | bob");
    }

    @Test
    void currentUserDecides() {
        String t = people();
        run(admin, "alter table " + t + " set row filter (owner = current_user())");
        assertThat(rows(ann, "select id from " + t)).containsExactly("1");
        assertThat(rows(bob, "select id from " + t)).containsExactly("2", "3");
        assertThat(rows(admin, "select id from " + t)).isEmpty();
    }

    @Test
    void rolesCountThroughRolesAndWhateverIsCurrent() {
        String t = people();
        run(admin, "alter table " + t + " set row filter (is_member('STAFF'))");
        assertThat(rows(ann, "select id from " + t)).hasSize(3);
        run(bob, "set role none");
        assertThat(rows(bob, "select is_member('staff'), is_member('hr'), is_member('public')"))
                .containsExactly("1 | 0 | 1");
        run(bob, "set role all");
        assertThat(rows(admin, "select id from " + t)).isEmpty();
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                () -> run(bob, "select is_member(owner) from " + t),
                "is_member takes the name of a role");
        refused(StandardErrorCode.INVALID_ARGUMENT, () -> run(bob, "select is_member()"), "is_member takes");
    }

    @Test
    void subqueriesReadWithTheRightsOfTheOwner() {
        String t = people();
        run(
                admin,
                "create table grants" + t + " (who string, region string)",
                "insert into grants" + t + " values ('bob', 'US'), ('bob', 'XX'), ('ann', 'EU')");
        for (String filter : List.of(
                "region in (select region from grants" + t + " where who = current_user())",
                "exists (select 1 from grants" + t + " g where g.region = region and who = current_user())",
                "exists (select 1 from (select region r, who from default.grants" + t
                        + ") g where g.r = region and g.who = current_user())")) {
            run(admin, "alter table " + t + " set row filter (" + filter + ")");
            refused(StandardErrorCode.ACCESS_DENIED, () -> run(bob, "select * from grants" + t));
            // The inner region hides the outer one in the second filter.
            boolean inner = filter.contains("g.region = region");
            assertThat(rows(bob, "select id from " + t))
                    .as(filter)
                    .containsExactly(inner ? new String[] {"1", "2", "3"} : new String[] {"3"});
        }
        run(admin, "alter table " + t + " set row filter (true)");
        run(admin, "alter table " + t + " alter column ssn set mask ((select max(who) from grants" + t + "))");
        assertThat(rows(ann, "select distinct ssn from " + t)).containsExactly("bob");
        String u = people();
        assertThat(rows(
                        bob,
                        "select u.id from " + u + " u where exists (select 1 from " + t
                                + " t where t.id = u.id and t.ssn = 'bob')"))
                .hasSize(3);
    }

    @Test
    void viewsUseTheInvoker() {
        String t = people();
        run(
                admin,
                "alter table " + t + " set row filter (owner = current_user())",
                "alter table " + t + " alter column ssn set mask (" + MASK + ")",
                "create view v_" + t + " as select * from " + t,
                "revoke all on table " + t + " from role public",
                "grant select on table v_" + t + " to role public");
        refused(StandardErrorCode.ACCESS_DENIED, () -> run(bob, "select id from " + t));
        assertThat(rows(ann, "select id, ssn from v_" + t)).containsExactly("1 | 111-1");
        assertThat(rows(bob, "select id, ssn from v_" + t)).containsExactly("2 | ***-2", "3 | ***-3");
    }

    @Test
    void viewsHavePoliciesOfTheirOwn() {
        String t = people();
        run(
                admin,
                "create view v_" + t + " as select id, owner as who from " + t,
                "grant select on table v_" + t + " to role public",
                "alter view v_" + t + " set row filter (who = current_user())",
                "alter view v_" + t + " alter column id set mask (-id)");
        assertThat(rows(bob, "select id from v_" + t)).containsExactly("-2", "-3");
        assertThat(rows(bob, "select count(*) from " + t)).containsExactly("3");
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                () -> run(admin, "alter view v_" + t + " as select id from " + t),
                "has a row filter or masks");
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                () -> run(admin, "create or replace view v_" + t + " as select id from " + t),
                "has a row filter or masks");
        run(admin, "alter view v_" + t + " drop row filter", "alter view v_" + t + " alter column id drop mask");
        run(admin, "alter view v_" + t + " as select id from " + t);
    }

    @Test
    void writesSeeWhatTheUserSees() {
        String t = people();
        run(
                admin,
                "alter table " + t + " set row filter (is_member('hr') or region = 'EU')",
                "alter table " + t + " alter column ssn set mask (" + MASK + ")");
        run(bob, "create temporary table c as select id, ssn from " + t, "create temporary table d (id int)");
        assertThat(rows(bob, "select * from c")).containsExactly("1 | ***-1", "2 | ***-2");
        run(bob, "from " + t + " insert into d select id insert into c select id + 10, ssn");
        assertThat(rows(bob, "select count(*) from d")).containsExactly("2");
        run(bob, "drop table c", "drop table d");
        String loss = "insert overwrite table " + t + " select ";
        refused(StandardErrorCode.ACCESS_DENIED, () -> run(bob, loss + "* from " + t), "would lose what");
        refused(
                StandardErrorCode.ACCESS_DENIED,
                () -> run(bob, loss + "id, region, 'x', owner from (select * from " + t + ") s"),
                "would lose what");
        refused(
                StandardErrorCode.ACCESS_DENIED,
                () -> run(bob, loss + "1, 'x', 'x', 'x' where 3 in (select id from " + t + ")"),
                "would lose what");
        run(bob, "insert into " + t + " values (4, 'US', '444-4', 'bob')");
        run(ann, loss + "* from " + t);
        assertThat(rows(ann, "select id, ssn from " + t))
                .containsExactly("1 | 111-1", "2 | 222-2", "3 | 333-3", "4 | 444-4");
        run(admin, "analyze table " + t + " compute statistics for columns");
        assertThat(rows(ann, "select count(*), max(ssn) from " + t)).containsExactly("4 | 444-4");
        assertThat(rows(bob, "select count(*), max(ssn) from " + t)).containsExactly("2 | ***-2");
    }

    @Test
    void plansAreNotSharedAcrossWhatUsersMaySee() {
        String t = people();
        run(
                admin,
                "create role temps",
                "grant role temps to user bob",
                "alter table " + t + " set row filter (is_member('temps') or owner = current_user())");
        String query = "select id from " + t + " where id < ";
        for (int i = 0; i < 3; i++) {
            assertThat(rows(ann, query + (10 + i))).containsExactly("1");
            assertThat(rows(bob, query + (10 + i))).containsExactly("1", "2", "3");
        }
        long hits = engine.plans().hits();
        assertThat(rows(ann, query + 4)).containsExactly("1");
        assertThat(rows(bob, query + 3)).containsExactly("1", "2");
        assertThat(engine.plans().hits()).as("each user has a plan").isEqualTo(hits + 2);
        run(admin, "revoke role temps from user bob");
        assertThat(rows(bob, query + 10)).containsExactly("2", "3");
        try (SqlStatement kept = bob.compileWithCachedPlan(new QueryId("q"), query + 10, new AccessRecord())
                .orElseThrow()) {
            assertThat(engine.rowsOf(kept)).containsExactlyInAnyOrder("2", "3");
        }
        run(admin, "grant role temps to user bob");
        assertThat(rows(bob, query + 10)).containsExactly("1", "2", "3");
        run(admin, "alter table " + t + " set row filter (id = 1)");
        assertThat(rows(bob, query + 10)).containsExactly("1");
        assertThat(rows(ann, query + 10)).containsExactly("1");
        run(admin, "alter table " + t + " alter column id set mask (id + 100)");
        assertThat(rows(bob, query + 10)).isEmpty();
        assertThat(rows(bob, query + 200)).containsExactly("101");
        run(admin, "alter table " + t + " drop row filter");
        assertThat(rows(bob, query + 200)).containsExactly("101", "102", "103");
        run(admin, "drop role temps");
    }

    @Test
    void sessionsCannotPutTheirOwnObjectsInPlace() {
        String t = people();
        try (SqlSession own = engine.session("bob")) {
            run(own, "create temporary table allowed" + t + " (region string)");
            run(own, "insert into allowed" + t + " values ('US')");
            run(
                    admin,
                    "create table allowed" + t + " (region string)",
                    "insert into allowed" + t + " values ('EU')",
                    "alter table " + t + " set row filter (region in (select region from allowed" + t + "))");
            assertThat(rows(own, "select id from " + t)).containsExactly("1", "2");
        }
        run(admin, "alter table " + t + " set row filter (is_member('hr'))");
        try (SqlSession own = engine.session("root")) {
            run(own, "set role admin", "create temporary macro is_member(r string) r is not null");
            assertThat(rows(own, "select id from " + t)).isEmpty();
        }
    }

    @Test
    void functionsOfUsersAreNotCalledWithHiddenValues() {
        String t = "encoded" + tables++;
        run(
                admin,
                "create table " + t + " (id int, region string, code string) stored as orc",
                "insert into " + t
                        + " select pos, if(pos % 2 = 0, 'EU', 'US'), concat('c', pos % 4) from (select 1) one"
                        + " lateral view posexplode(split(space(3999), ' ')) p as pos, x",
                "alter table " + t + " set row filter (region = 'EU')",
                "alter table " + t + " alter column region set mask (lower(region))",
                "create temporary function witness as '" + Witness.class.getName() + "'");
        for (String query : List.of(
                "select count(*) from " + t + " where witness(code) <> 'c1' and witness(region) <> 'EU'",
                "select count(witness(code)), max(witness(region)) from " + t,
                "select count(*) from " + t + " a join " + t
                        + " b on witness(a.code) = witness(b.code) and a.id = b.id",
                "select witness(code), count(*) from " + t + " group by witness(code)")) {
            Witness.SEEN.clear();
            run(admin, query);
            assertThat(Witness.SEEN).as(query).contains("c0", "c2").isSubsetOf("c0", "c2", "eu");
        }
        run(admin, "alter table " + t + " drop row filter");
        Witness.SEEN.clear();
        run(admin, "select count(witness(code)) from " + t);
        assertThat(Witness.SEEN).containsExactlyInAnyOrder("c0", "c1", "c2", "c3");
        run(admin, "drop temporary function witness");
    }

    @Test
    void onlyOwnersSetAndSeePolicies() {
        String t = people();
        String filter = "alter table " + t + " set row filter (id = 1)";
        refused(StandardErrorCode.ACCESS_DENIED, () -> run(bob, filter), "OBJECT OWNERSHIP");
        refused(
                StandardErrorCode.ACCESS_DENIED,
                () -> run(bob, "alter table " + t + " alter column id drop mask"),
                "OBJECT OWNERSHIP");
        run(admin, "alter table " + t + " set owner user bob", "create table secret" + t + " (id int)");
        refused(
                StandardErrorCode.ACCESS_DENIED,
                () -> run(bob, "alter table " + t + " set row filter (id in (select id from secret" + t + "))"),
                "SELECT with grant");
        run(bob, filter, "alter table " + t + " alter column ssn set mask ('hidden')");
        run(admin, "grant select on table " + t + " to role staff with grant option");
        for (String show :
                List.of("show create table ", "show tblproperties ", "describe formatted ", "describe extended ")) {
            assertThat(String.join("\n", engine.printed(bob, show + t)))
                    .as(show)
                    .contains("id = 1", "hidden");
            assertThat(String.join("\n", engine.printed(ann, show + t)))
                    .as(show)
                    .doesNotContain("id = 1", "hidden", "skep.row-filter");
        }
        assertThat(engine.printed(bob, "show create table " + t))
                .contains("ALTER TABLE `default`.`" + t + "` SET ROW FILTER (id = 1);")
                .contains("ALTER TABLE `default`.`" + t + "` ALTER COLUMN `ssn` SET MASK ('hidden');");
        run(bob, "analyze table " + t + " compute statistics for columns");
        assertThat(String.join("\n", engine.printed(bob, "describe formatted " + t + " id")))
                .contains("max|3");
        assertThat(String.join("\n", engine.printed(ann, "describe formatted " + t + " id")))
                .doesNotContain("max|3");
    }

    @Test
    void readsOfPoliciesNeedNoGrant() {
        String t = people();
        run(
                admin,
                "alter table " + t + " set row filter (region = 'EU')",
                "alter table " + t + " alter column ssn set mask (owner)",
                "revoke all on table " + t + " from role public",
                "grant select (id, ssn) on table " + t + " to user bob");
        assertThat(rows(bob, "select id, ssn from " + t)).containsExactly("1 | ann", "2 | bob");
        assertThat(rows(bob, "select count(*) from " + t)).containsExactly("2");
        refused(
                StandardErrorCode.ACCESS_DENIED,
                () -> run(bob, "select * from " + t),
                "missing on default." + t + ".owner");
        refused(
                StandardErrorCode.ACCESS_DENIED,
                () -> run(bob, "select region from " + t),
                "missing on default." + t + ".region");
    }

    @Test
    void expressionsAreCheckedWhenTheyAreSet() {
        String t = people();
        String filter = "alter table " + t + " set row filter ";
        refused(StandardErrorCode.TYPE_MISMATCH, () -> run(admin, filter + "(id)"), "a row filter is a boolean");
        refused(StandardErrorCode.COLUMN_NOT_FOUND, () -> run(admin, filter + "(idd = 1)"), "idd");
        refused(StandardErrorCode.SEMANTIC_ERROR, () -> run(admin, filter + "(max(id) = 1)"));
        refused(StandardErrorCode.SEMANTIC_ERROR, () -> run(admin, filter + "(rank() over (order by id) = 1)"));
        refused(StandardErrorCode.INVALID_ARGUMENT, () -> run(admin, filter + "(rand() < 0.5)"), "rand");
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                () -> run(admin, filter + "(not is_member('hr') and rand() < 0.5)"),
                "rand");
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                () -> run(admin, filter + "(id in (select id from (select 1 id) s where rand() < 0.5))"),
                "rand");
        refused(StandardErrorCode.RECURSIVE_VIEW, () -> run(admin, filter + "(id in (select id from " + t + "))"));
        run(admin, "create view r_" + t + " as select id from " + t);
        refused(StandardErrorCode.RECURSIVE_VIEW, () -> run(admin, filter + "(id in (select id from r_" + t + "))"));
        String mask = "alter table " + t + " alter column ";
        refused(StandardErrorCode.COLUMN_NOT_FOUND, () -> run(admin, mask + "idd set mask (1)"), "idd");
        refused(StandardErrorCode.TYPE_MISMATCH, () -> run(admin, mask + "id set mask (array(1))"), "has the type int");
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                () -> run(admin, mask + "id set mask (if(is_member('hr'), id, rand()))"),
                "rand");
        refused(StandardErrorCode.INVALID_ARGUMENT, () -> run(admin, mask + "id drop mask"), "has no mask");
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                () -> run(admin, "alter table " + t + " drop row filter"),
                "has no row filter");
        run(admin, "create table p_" + t + " (a int) partitioned by (k string)");
        refused(
                StandardErrorCode.NOT_SUPPORTED,
                () -> run(admin, "alter table p_" + t + " alter column k set mask ('x')"),
                "partition column");
        run(admin, "alter table p_" + t + " set row filter (k = 'x')");
        assertThat(rows(bob, "select id from " + t)).hasSize(3);
    }

    @Test
    void propertiesAreReserved() {
        String t = people();
        for (String statement : List.of(
                "alter table " + t + " set tblproperties ('skep.row-filter' = 'true')",
                "alter table " + t + " set tblproperties ('SKEP.Mask.id' = '1')",
                "alter table " + t + " unset tblproperties if exists ('skep.row-filter')",
                "create table x (a int) tblproperties ('skep.mask.a' = '1')",
                "create table x like " + t + " tblproperties ('skep.mask.a' = '1')",
                "create table x tblproperties ('skep.mask.a' = '1') as select 1 a",
                "create view x tblproperties ('skep.row-filter' = 'true') as select 1 a")) {
            refused(StandardErrorCode.INVALID_ARGUMENT, () -> run(admin, statement), "is reserved");
        }
    }

    @Test
    void columnsOfPoliciesStay() {
        String t = people();
        run(
                admin,
                "alter table " + t + " set row filter (region = 'EU')",
                "alter table " + t + " alter column ssn set mask (owner)");
        for (String change : List.of(
                "change region r string",
                "change region region int",
                "change ssn s string",
                "change owner o string",
                "change owner owner varchar(5)",
                "replace columns (id int, region string, ssn string)",
                "replace columns (id int, ssn string, owner string)",
                "replace columns (id int)")) {
            refused(
                    StandardErrorCode.INVALID_ARGUMENT,
                    () -> run(admin, "alter table " + t + " " + change),
                    "is used by");
        }
        run(
                admin,
                "alter table " + t + " change id number int",
                "alter table " + t + " add columns (extra int)",
                "alter table " + t + " change region region string comment 'where'",
                "alter table " + t + " rename to renamed_" + t);
        assertThat(rows(bob, "select number, ssn from renamed_" + t)).containsExactly("1 | ann", "2 | bob");
        run(admin, "create table like_" + t + " like renamed_" + t);
        assertThat(String.join("\n", engine.printed(admin, "show tblproperties like_" + t)))
                .doesNotContain("skep.");
    }

    @Test
    void largeExpressionsAreSetAndApplied() {
        String t = people();
        String terms = IntStream.range(0, 900)
                .mapToObj(i -> "id = " + i + " and region = 'EU'")
                .collect(Collectors.joining(" or "));
        run(admin, "alter table " + t + " set row filter (" + terms + ")");
        assertThat(rows(bob, "select id from " + t)).containsExactly("1", "2");
        String tooLong = terms + " or " + terms.replace("id = ", "id + 1 = ");
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                () -> run(admin, "alter table " + t + " set row filter (" + tooLong + ")"),
                "at most 32000 characters");
    }

    @Test
    void brokenPoliciesShowNothing() {
        String t = people();
        run(
                admin,
                "create table gone" + t + " (id int)",
                "alter table " + t + " set row filter (id in (select id from gone" + t + "))",
                "drop table gone" + t);
        refused(StandardErrorCode.TABLE_NOT_FOUND, () -> run(bob, "select id from " + t), "is no longer valid");
        run(admin, "alter table " + t + " drop row filter");
        assertThat(rows(bob, "select id from " + t)).hasSize(3);
    }

    @Test
    void partitionsAreNotMovedAway() {
        String t = "parted" + tables++;
        run(
                admin,
                "create table " + t + " (a int) partitioned by (k string)",
                "insert into " + t + " partition (k = 'x') values (1)",
                "grant all on table " + t + " to user bob",
                "alter table " + t + " set row filter (false)",
                "create table to_" + t + " (a int) partitioned by (k string)",
                "alter table to_" + t + " set owner user bob",
                "grant all on table to_" + t + " to user bob");
        String exchange = "alter table to_" + t + " exchange partition (k = 'x') with table " + t;
        refused(StandardErrorCode.ACCESS_DENIED, () -> run(bob, exchange), "can be moved by its owner alone");
        run(admin, exchange);
        assertThat(rows(bob, "select * from to_" + t)).containsExactly("1 | x");
    }

    @Test
    void explainShowsThePlanWithTheFilter() {
        String t = people();
        run(admin, "alter table " + t + " set row filter (region = 'EU')");
        assertThat(String.join("\n", engine.printed(bob, "explain select id from " + t)))
                .contains("EU");
        assertThat(String.join("\n", engine.printed(bob, "explain cbo select id from " + t)))
                .contains("PolicyBarrier(table=[default." + t + "])");
    }
}
