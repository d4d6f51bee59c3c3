package io.skep.ql.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.testing.AnalysisFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestQueryAnalyzer {
    private final AnalysisFixture session = new AnalysisFixture();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select 1, 1+1, 'a' as b, upper('x'), count(*) from pv"
                        + " | _c0 int, _c1 int, b string, _c3 string, _c4 bigint",
                "select k, k+1, pv.s, upper(s) from pv | k int, _c1 int, pv.s string, _c3 string",
                "select a.*, b.v from pv2 a join pv2 b on a.k=b.k | a.k int, a.v string, b.v string",
                "select k, k from pv2 | k int, k_1 int",
                "select t.* from (select k, k+1, v as x from pv2) t | t.k int, t._c1 int, t.x string",
                "select k as `a b`, v as `S` from pv2 | a b int, s string",
                "select * from pv2 a join pv2 b using (k) | a.k int, a.v string, b.v string",
                "select explode(map('a',1)) | key string, value int",
                "select stack(1,'a',2) | col0 string, col1 int",
                "select * from pv2 lateral view explode(array(1,2)) t as e | pv2.k int, pv2.v string, t.e int",
                "select tt.* from pv2 lateral view posexplode(array('p')) tt as i, v | tt.i int, tt.v string",
                "select * from (values (1,'a'),(2,'b')) t | t.col1 int, t.col2 string",
                "select sum(d), avg(d), sum(k), avg(k) from pv"
                        + " | _c0 decimal(20,2), _c1 decimal(14,6), _c2 bigint, _c3 double",
                "select 1Y as c union all select 1L | c bigint",
                "select cast('a' as varchar(3)) as c union all select 'x' | c string",
                "select null as c union all select 1 | c int",
                "select k, rank() over (order by s), sum(k) over (order by s) r from pv"
                        + " | k int, rank_window_0 int, r bigint",
                "select k, rank() over (order by k) from pv order by s | k int, _c1 int",
                "select distinct rank() over (order by k) from pv | _c0 int",
                "select rank() over (order by k), 1 + rank() over (order by s), max(k) over (order by s),"
                        + " max(k) over (order by s) from pv | _c0 int, _c1 int, max_window_2 int, _c3 int",
                "select st.x, st.y from t1 group by st.x, st.y | st.x int, st.y struct<z:string>",
                "select distinct st.x from t1 | st.x int",
                "select k + 2, *, k + 1 from pv2 | _c0 int, pv2.k int, pv2.v string, _c2 int",
                "select *, rank() over (order by k), 1 from pv2 | pv2.k int, pv2.v string, rank_window_0 int, _c2 int",
                "select q.`_c1` from (select *, k + 1 from pv2) q | q._c1 int",
                "select st.x from t1 group by st | x int",
                "with q(a, b) as (select k, s from pv) select b, q.a from q | b string, q.a int",
                "with q(a) as (select k, s from pv) select * from q | q.a int, q.s string",
                "with q(a, a) as (select k, s from pv) select * from q | q.k int, q.s string",
                "select 99999999999999999999999999999999999999 | _c0 decimal(38,0)",
                "select 100000000000000000000000000000000000000 | _c0 double",
                "with q as (select k from pv), r as (select k+1 as j from q) select j from r | j int",
                "from pv select k where k=1 | k int",
                "select p, input__file__name from pvp | p string, input__file__name string",
                "select * from pvp | pvp.k int, pvp.p string",
                "select other.o.id, o.name from other.o | o.id bigint, o.name string",
                "select st.x, st.y.z, arr[0], m['a'], arrst.q from t1"
                        + " | x int, z string, _c2 int, _c3 double, q array<int>",
                "select t1.st.x from t1 | x int",
                "select (select max(k) from pv2) m, exists (select 1 from pv2) e, k in (select k"
                        + " from pv2) i from pv | m int, e boolean, i boolean",
                "select distinct s, k%2 from pv order by 1, 2 | s string, _c1 int",
                "select current_user(), current_date, current_timestamp, current_database()"
                        + " | _c0 string, _c1 date, _c2 timestamp, _c3 string"
            })
    void columnsAreNamedAndTypedAsHiveDoes(String query, String schema) {
        assertThat(session.schema(query)).isEqualTo(schema);
    }

    @Test
    void plainNamesWithoutTheSetting() {
        session.set("hive.resultset.use.unique.column.names", "false");
        assertThat(session.schema("select * from pv2 a join pv2 b on a.k=b.k"))
                .isEqualTo("k int, v string, k_1 int, v_1 string");
    }

    @Test
    void aConstantTakesTheColumnsType() {
        assertThat(session.plan("select k from pv where f = 1.1 and k = '5' and d = 1.5"))
                .contains("AND(=($5, 1.100000023841858E0), =($0, 5), =($7, 1.50))")
                .hasLineCount(3);
    }

    @Test
    void aConstantThatDoesNotFitIsComparedAsItIs() {
        assertThat(session.plan("select k from pv where k = 'x'")).contains("=(CAST($0):DOUBLE, $cast(_UTF-8'x'");
    }

    @Test
    void groupKeysAreExpressions() {
        assertThat(session.plan(
                        "select upper(s) x, count(*), sum(k) + 1 from pv group by upper(pv.s) having max(k) > 2"))
                .isEqualTo("""
                        LogicalProject(x=[$0], _c1=[$1], _c2=[+($2, 1:BIGINT)])
                          LogicalFilter(condition=[>($3, 2)])
                            LogicalAggregate(group=[{0}], agg#0=[COUNT()], agg#1=[sum($1)], agg#2=[max($2)])
                              LogicalProject($f0=[upper($4)], $f1=[CAST($0):BIGINT], $f2=[$0])
                                LogicalTableScan(table=[[default, pv]])""");
    }

    @Test
    void groupingSetsCarryTheirNumber() {
        assertThat(session.plan("select s, k, grouping__id, grouping(k) from pv group by s, k with rollup"))
                .contains("groups=[[{0, 1}, {0}, {}]]", "GROUPING($0, $1)", "&($2, 1:BIGINT)");
    }

    @Test
    void unselectedOrderKeysAreHidden() {
        assertThat(session.plan("select s from pv order by k desc limit 3 offset 2"))
                .isEqualTo("""
                        LogicalProject(s=[$0])
                          LogicalSort(sort0=[$1], dir0=[DESC], offset=[2:BIGINT], fetch=[3:BIGINT])
                            LogicalProject(s=[$4], $f1=[$0])
                              LogicalTableScan(table=[[default, pv]])""");
    }

    @Test
    void nullsGoLastUnlessDescendingOrSaid() {
        assertThat(session.plan("select k from pv order by k")).contains("dir0=[ASC]");
        assertThat(session.plan("select k from pv order by k nulls first")).contains("dir0=[ASC-nulls-first]");
        session.set("hive.default.nulls.last", "false");
        assertThat(session.plan("select k from pv order by k")).contains("dir0=[ASC-nulls-first]");
    }

    @Test
    void theAliasComesFirstInOrderBy() {
        assertThat(session.plan("select k as s, s as k from pv order by k")).contains("sort0=[$1]");
        assertThat(session.plan("select count(*) c, s from pv group by s order by count(*) desc, s"))
                .contains("sort0=[$0], sort1=[$1], dir0=[DESC], dir1=[ASC]");
    }

    @Test
    void innerOrderWithoutLimitIsDropped() {
        assertThat(session.plan("select k from (select k from pv order by s) t"))
                .doesNotContain("Sort");
        assertThat(session.plan("select k from (select k from pv order by s limit 1) t"))
                .contains("LogicalSort");
    }

    @Test
    void correlatedSubqueriesNameTheirVariable() {
        assertThat(session.plan("select k from pv a where exists (select 1 from pv2 b where a.k=b.k)"))
                .contains("variablesSet=[[$cor0]]", "$cor0.k");
        assertThat(session.plan("select s, (select max(v) from pv2 b where b.v = a.s) from pv a group by s"))
                .contains("variablesSet=[[$cor0]]");
    }

    @Test
    void allIsTheNegationOfAny() {
        assertThat(session.plan("select k from pv where k > all (select k from pv2)"))
                .contains("NOT(<= SOME($0, {");
    }

    @Test
    void windowsHaveTheirFramesWrittenOut() {
        assertThat(session.plan("select sum(k) over (partition by s order by b) from pv"))
                .contains("sum(CAST($0):BIGINT) OVER (PARTITION BY $4 ORDER BY $3 NULLS LAST)");
        assertThat(session.plan("select sum(k) over w from pv window w as (order by b rows between 1"
                        + " preceding and 2 following)"))
                .contains("ROWS BETWEEN 1:BIGINT PRECEDING AND 2:BIGINT FOLLOWING");
    }

    @Test
    void qualifyFiltersBehindWindows() {
        assertThat(session.plan("select k from pv qualify row_number() over (order by k) = 1"))
                .containsSubsequence("LogicalProject(k=[$0])", "LogicalFilter", "row_number() OVER");
    }

    @Test
    void joinsOfAllKinds() {
        assertThat(session.plan("select a.k from pv a left semi join pv2 b on a.k=b.k"))
                .contains("joinType=[semi]");
        assertThat(session.plan("select a.k from pv a full outer join pv2 b on a.k=b.k"))
                .contains("joinType=[full]");
        assertThat(session.plan("select a.k, b.v from pv2 a full outer join pv2 b using (k)"))
                .contains("condition=[=($0, $6)]", "joinType=[full]");
        assertThat(session.plan("select a.k from pv a, pv2 b where a.k=b.k")).contains("condition=[true]");
    }

    @Test
    void lateralViewsAppendColumns() {
        assertThat(session.plan("select e from t1 lateral view outer explode(arr) x as e"))
                .contains("TableFunctionApply(function=[explode], arguments=[[$2]], outer=[true]");
    }

    @Test
    void distributionAndSortingWithinTasks() {
        assertThat(session.plan("select k from pv distribute by s sort by k desc"))
                .contains("Redistribute(hash=[[1]], sort=[[0 DESC]])");
        assertThat(session.plan("select k from pv cluster by k"))
                .contains("Redistribute(hash=[[0]], sort=[[0 ASC-nulls-first]])");
    }

    @Test
    void valuesAreConstantsWhereTheyCanBe() {
        assertThat(session.plan("select * from (values (1,'a'),(2.5,null)) t"))
                .contains("LogicalValues(tuples=[[{ 1.0, _UTF-8'a' }, { 2.5, null }]])");
    }

    @Test
    void viewsAreExpandedInTheirOwnDatabase() {
        session.view("other", "ov", "n string, i int", "select name, id from o");
        assertThat(session.schema("select * from other.ov")).isEqualTo("ov.n string, ov.i bigint");
        assertThat(session.plan("select i from other.ov")).contains("[[other, o]]");
        assertThat(session.analyze("select i from other.ov").inputs()).containsExactlyInAnyOrder("other.ov", "other.o");
    }

    @Test
    void insertsShareTheirSource() {
        assertThat(session.inserts("from pv insert overwrite table pv2 select k, s where k<3"
                        + " insert into pvp partition(p='x') select k"))
                .hasSize(2)
                .allSatisfy(
                        insert -> assertThat(insert.destination().children()).isNotEmpty())
                .extracting(insert -> insert.query().types().size())
                .containsExactly(2, 1);
    }

    @Test
    void macrosAreExpanded() {
        session.macro(
                "twice",
                new AnalysisContext.Macro(
                        List.of("x"),
                        List.of(PrimitiveType.INT),
                        new HiveSqlParser(Map.of()).parseExpression("x + x")));
        assertThat(session.plan("select twice(k) from pv")).contains("+($0, $0)");
    }

    @Test
    void quotedPatternsSelectColumns() {
        session.set("hive.support.quoted.identifiers", "none");
        assertThat(session.schema("select `(k|s)?+.+` from pv2")).isEqualTo("pv2.v string");
    }

    @Test
    void expandedTextMeansTheSameElsewhere() {
        SyntaxNode query = new HiveSqlParser(Map.of())
                .parse("with q as (select * from pv2 p) select q.*, o.id from q, other.o"
                        + " where k in (select k from pv)");
        QueryAnalyzer analyzer = new QueryAnalyzer(session, new RelFactory());
        analyzer.analyze(query);
        assertThat(analyzer.expandedText(query))
                .isEqualTo("with q as (select `p`.`k`, `p`.`v` from `default`.`pv2` `p`) "
                        + "select `q`.`k`, `q`.`v`, `o`.`id` from q, `other`.`o`"
                        + " where `q`.`k` in (select `pv`.`k` from `default`.`pv`)");
    }

    @Test
    void starsAreArgumentsToo() {
        assertThat(session.plan("select hash(*), count(*), array(a.*, 'x') from pv2 a group by k, v"))
                .contains("hash($0, $1)", "COUNT()");
    }

    @Test
    void subqueriesOfHavingUseOuterAggregates() {
        assertThat(session.plan(
                        "select k, min(s) from pv group by k having exists (select 1 from pv2 b where b.v = min(s))"))
                .contains("$cor0.$f1");
    }

    @Test
    void withinGroupGivesValueOrderAndNulls() {
        assertThat(session.schema("select percentile_cont(0.5) within group (order by k), "
                        + "rank(1) within group (order by k desc) from pv"))
                .isEqualTo("_c0 double, _c1 bigint");
    }
}
