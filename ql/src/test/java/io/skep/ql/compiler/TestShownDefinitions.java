package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how SHOW and DESCRIBE write names, comments and places. The expected lines are Hive's. */
final class TestShownDefinitions {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @TempDir
    private Path folder;

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

    @Test
    void namesWithBackTicksAreQuoted() {
        run("create table bt (`c``d` int, `x``y` struct<a:int>) partitioned by (`p``q` int)");
        assertThat(rows("show create table bt")).contains("`c``d` int,", "`x``y` struct<`a`:int>)", "`p``q` int)");
        run("create table bu (`c``d` int) clustered by (`c``d`) sorted by (`c``d` desc) into 2 buckets");
        assertThat(rows("show create table bu")).contains("`c``d`)", "`c``d` DESC)");
    }

    @Test
    void commentsAreEscaped() {
        run("create database d comment 'a \"db\"\\nx'", "create table d.t (a int) comment 'a \"t\"\\nx'");
        assertThat(rows("describe database d")).singleElement().asString().startsWith("d|a \\\"db\\\"\\nx|");
        assertThat(rows("describe extended d.t"))
                .last()
                .asString()
                .startsWith("Detailed Table Information|")
                .contains("comment=a \\\"t\\\"\\nx");
    }

    @Test
    void columnsThatSerdesListHaveComments() {
        run("create table a (x int comment 'c', y string) stored as avro");
        assertThat(rows("show create table a")).contains("`x` int COMMENT 'c',", "`y` string COMMENT '')");
        run("create table r (x string comment 'c', y string)"
                + " row format serde 'org.apache.hadoop.hive.serde2.RegexSerDe'"
                + " with serdeproperties ('input.regex' = '(.*),(.*)')");
        assertThat(rows("show create table r")).contains("`x` string COMMENT 'c',", "`y` string COMMENT '')");
        assertThat(rows("describe r")).containsExactly("x|string|c", "y|string|");
    }

    @Test
    void erasureCodingIsShownWhereItIs() {
        run("create table t (a int)", "insert into t values (1)");
        assertThat(rows("describe formatted t")).noneMatch(line -> line.contains("numFilesErasureCoded"));
        assertThat(rows("show tblproperties t")).contains("numFilesErasureCoded|0");
        run("alter table t set tblproperties ('numFilesErasureCoded' = '1')");
        assertThat(rows("describe formatted t")).anyMatch(line -> line.contains("numFilesErasureCoded"));
    }

    @Test
    void localPlacesHaveNoAuthority() {
        String given = "file://" + folder;
        String shown = "file:" + folder;
        run("create database d location '" + given + "/d/' managedlocation '" + given + "/m'");
        assertThat(rows("describe database d"))
                .singleElement()
                .asString()
                .contains("|" + shown + "/d|" + shown + "/m|");
        run("create table t (a int) location '" + given + "//x/../t/'");
        assertThat(rows("show create table t")).contains("'" + shown + "/t'");
        run("alter table t set location '" + given + "/u'");
        assertThat(rows("show create table t")).contains("'" + shown + "/u'");
    }

    @Test
    void materializedViewsHaveNoPropertiesOfSkep() {
        run("create table t (a int)", "create materialized view mv disable rewrite as select a from t");
        assertThat(rows("show create table mv")).noneMatch(line -> line.contains("skep."));
        assertThat(rows("show tblproperties mv")).noneMatch(line -> line.contains("skep."));
    }

    @Test
    void partitionsOfTablesAreShownByName() {
        run("create table tab_1 (a int) partitioned by (p int)", "alter table tab_1 add partition (p = 1)");
        assertThat(rows("show table extended like 'tab_1' partition (p = 1)")).contains("tableName:tab_1");
        assertThatThrownBy(() -> run("show table extended like 'tab%' partition (p = 1)"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        refused -> assertThat(refused.code()).isEqualTo(StandardErrorCode.TABLE_NOT_FOUND));
    }
}
