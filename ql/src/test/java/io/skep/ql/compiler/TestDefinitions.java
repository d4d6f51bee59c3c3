package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests views, ALTER, TRUNCATE, and what SHOW and DESCRIBE return for them. */
final class TestDefinitions {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private void run(String... statements) {
        for (String statement : statements) {
            engine.run(session, statement);
        }
    }

    private List<String> rows(String sql) {
        return engine.printed(session, sql);
    }

    private void assertRefused(String sql, StandardErrorCode code) {
        assertThatThrownBy(() -> engine.run(session, sql))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }

    @Test
    void viewsMeanTheSameInAnyDatabase() {
        run("create database other", "create table t (k int, s string) stored as orc");
        run("insert into t values (1, 'a'), (2, 'b')");
        run("create view v (a comment 'first', b) as select k, s from t where k > 1");
        run("use other");
        assertThat(rows("select * from default.v")).containsExactly("2|b");
        assertThat(rows("describe default.v")).containsExactly("a|int|first", "b|string|");
        assertThat(rows("show create table default.v"))
                .containsExactly("CREATE VIEW `default`.`v` AS SELECT `k` AS `a`, `s` AS `b`"
                        + " FROM (select `t`.`k`, `t`.`s` from `default`.`t` where `t`.`k` > 1) `v`");
        run("alter view default.v as select k from default.t");
        assertThat(rows("select count(*) from default.v")).containsExactly("2");
        assertThat(rows("show views in default")).containsExactly("v");
        assertRefused("alter table default.v rename to w", StandardErrorCode.NOT_A_TABLE);
        assertRefused("create view default.v as select 1", StandardErrorCode.TABLE_EXISTS);
        assertRefused("create or replace view default.v as select * from default.v", StandardErrorCode.RECURSIVE_VIEW);
        run("create or replace view default.v as select 5 as five", "alter view default.v rename to default.w");
        assertThat(rows("select five from default.w")).containsExactly("5");
        run("drop view default.w");
        assertThat(rows("show views in default")).isEmpty();
    }

    @Test
    void columnsChange() {
        run("create table t (a int, b string comment 'bee') stored as textfile", "insert into t values (1, 'x')");
        run("alter table t add columns (c bigint comment 'sea')");
        assertRefused("alter table t change b d varchar(10) first", StandardErrorCode.TYPE_MISMATCH);
        String checked = "set hive.metastore.disallow.incompatible.col.type.changes=";
        run(checked + "false", "alter table t change b d varchar(10) first", checked + "true");
        assertThat(rows("describe t")).containsExactly("d|varchar(10)|bee", "a|int|", "c|bigint|sea");
        assertThat(rows("show columns in t")).containsExactly("d", "a", "c");
        assertRefused("alter table t change a a tinyint", StandardErrorCode.TYPE_MISMATCH);
        assertRefused("alter table t add columns (A string)", StandardErrorCode.COLUMN_EXISTS);
        assertRefused("alter table t change nosuch x int", StandardErrorCode.COLUMN_NOT_FOUND);
        run("alter table t set tblproperties ('p' = 'q')", "alter table t rename to u");
        assertThat(rows("show tblproperties u('p')")).containsExactly("p|q");
        run("alter table u unset tblproperties ('p')");
        assertThat(rows("show tblproperties u('p')")).containsExactly("Table default.u does not have property: p|");
        assertRefused("alter table u unset tblproperties ('p')", StandardErrorCode.INVALID_ARGUMENT);
        run("alter table u set serdeproperties ('field.delim' = ',')", "alter table u set fileformat orc");
        assertThat(rows("describe formatted u"))
                .contains(
                        "SerDe Library:|org.apache.hadoop.hive.ql.io.orc.OrcSerde|",
                        "|field.delim|,",
                        "Table Type:|MANAGED_TABLE|",
                        "|numRows|1");
    }

    @Test
    void partitionsComeAndGo() {
        run("create table p (k int) partitioned by (ds string, hr int) stored as orc");
        run("alter table p add partition (ds='a', hr=1) partition (ds='a', hr=2) partition (ds='b', hr=10)");
        assertRefused("alter table p add partition (ds='a', hr=1)", StandardErrorCode.PARTITION_EXISTS);
        run("alter table p add if not exists partition (ds='a', hr=1)");
        run("insert into p partition (ds='a', hr=1) values (7)");
        assertThat(rows("show partitions p")).containsExactly("ds=a/hr=1", "ds=a/hr=2", "ds=b/hr=10");
        assertThat(rows("show partitions p partition (ds='a')")).containsExactly("ds=a/hr=1", "ds=a/hr=2");
        run("alter table p drop partition (hr > '2')");
        assertThat(rows("show partitions p")).containsExactly("ds=a/hr=1", "ds=a/hr=2");
        run("alter table p drop partition (ds = 'z')", "set hive.exec.drop.ignorenonexistent=false");
        assertRefused("alter table p drop partition (ds = 'z')", StandardErrorCode.PARTITION_NOT_FOUND);
        run("alter table p partition (ds='a', hr=1) rename to partition (ds='c', hr=3)");
        assertThat(rows("select ds, hr, k from p")).containsExactly("c|3|7");
        assertThat(rows("describe formatted p partition (ds='c', hr=3)"))
                .contains("Partition Value:|[c, 3]|", "|numRows|1", "# Detailed Partition Information||");
        run("create table q like p", "alter table q exchange partition (ds='c', hr=3) with table p");
        assertThat(rows("select ds, k from q")).containsExactly("c|7");
        assertThat(rows("select count(*) from p")).containsExactly("0");
        run("truncate table q partition (ds='c', hr=3)");
        assertThat(rows("select count(*) from q")).containsExactly("0");
        assertThat(rows("show partitions q")).containsExactly("ds=c/hr=3");
        assertRefused("describe p partition (ds='n', hr=1)", StandardErrorCode.PARTITION_NOT_FOUND);
    }

    @Test
    void showsHowTablesAreMade() {
        run("create external table e (a struct<b:int,d:array<string>> comment 'it\\'s \\; a')"
                + " partitioned by (p int) clustered by (a) sorted by (a) into 2 buckets row format delimited fields"
                + " terminated by '|' stored as textfile tblproperties ('x'='y')");
        assertThat(rows("show create table e"))
                .containsSequence(
                        "CREATE EXTERNAL TABLE `e`(",
                        "`a` struct<`b`:int, `d`:array<string>> COMMENT 'it\\'s \\; a')",
                        "PARTITIONED BY (",
                        "`p` int)",
                        "CLUSTERED BY (",
                        "`a`)",
                        "SORTED BY (",
                        "`a` ASC)",
                        "INTO 2 BUCKETS",
                        "ROW FORMAT SERDE",
                        "'org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe'",
                        "WITH SERDEPROPERTIES (",
                        "'field.delim'='|',",
                        "'serialization.format'='|')")
                .contains("'x'='y')");
        assertThat(rows("describe e a"))
                .containsExactly("b|int|from deserializer", "d|array<string>|from deserializer");
        assertThat(rows("show table extended like e"))
                .contains("tableName:e", "totalNumberFiles:0", "partitioned:true");
        assertThat(rows("describe function upper"))
                .containsExactly("upper(str) - Returns str with all characters changed to uppercase");
        assertThat(rows("describe function extended upper"))
                .contains("Synonyms: ucase", "Function type:BUILTIN")
                .contains("Function class:org.apache.hadoop.hive.ql.udf.generic.GenericUDFUpper");
        assertThat(rows("describe function nosuch")).containsExactly("Function 'nosuch' does not exist.");
        run("create database d comment 'words' with dbproperties ('a'='b')", "alter database d set owner role r");
        assertThat(rows("describe database extended d").getFirst()).contains("d|words|", "|r|ROLE|", "{a=b}");
        assertThat(rows("show create database d")).contains("'words'", "'a'='b')");
        assertThat(rows("show materialized views")).isEmpty();
    }
}
