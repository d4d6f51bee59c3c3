package io.skep.ql.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.Script;
import io.skep.ql.optimize.Repeatability;
import io.skep.ql.rel.ScriptApply;
import io.skep.ql.testing.AnalysisFixture;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestTransforms {
    private final AnalysisFixture session = new AnalysisFixture();

    private Script script(String query) {
        RelNode rel = session.analyze(query).rel();
        while (!(rel instanceof ScriptApply)) {
            rel = rel.getInput(0);
        }
        return ((ScriptApply) rel).script();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select transform(k) using 'cat' from pv2 | key string, value string",
                "select transform(k) using 'cat' as a, B from pv2 | a string, b string",
                "select transform(k) using 'cat' as (a, b) from pv2 | a string, b string",
                "select transform(*) using 'cat' as (a int, b map<string,decimal(3,1)>) from pv2"
                        + " | a int, b map<string,decimal(3,1)>",
                "map k, v using 'cat' as (x) from pv2 | x string",
                "from pv2 reduce pv2.k using 'cat' as x order by x limit 3 | x string",
                "select q.* from (select transform(k) using 'cat' as (x int) from pv2 cluster by x) q | q.x int",
                "select transform(k, count(*)) using 'cat' as (x) from pv2 group by k | x string"
            })
    void columnsAreThoseOfTheScript(String query, String schema) {
        assertThat(session.schema(query)).isEqualTo(schema);
    }

    @Test
    void clausesBehindTheListAreAboveTheScript() {
        assertThat(session.plan(
                        "select transform(k) using 'cat' as (x) from pv2 where k > 1 distribute by x sort by x"))
                .contains("Redistribute(hash=[[0]], sort=[[0]])\n  LogicalProject(x=[$0])\n"
                        + "    ScriptApply(command=[cat]");
        assertThat(session.reads()).containsExactly("default.pv2(k)");
    }

    @Test
    void theDefaultFormatIsHives() {
        Script script = script("select transform(k, v) using \"python3 'a b.py'\" from pv2");
        assertThat(script.command()).isEqualTo(List.of("python3", "a b.py"));
        assertThat(script.input().format().serde()).isEqualTo("org.apache.hadoop.hive.serde2.DelimitedJSONSerDe");
        assertThat(script.output().format().serde()).isEqualTo("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe");
        assertThat(script.output().format().properties())
                .containsEntry("field.delim", "9")
                .containsEntry("serialization.last.column.takes.rest", "true");
        assertThat(script.files()).hasSize(1);
        assertThat(script.escaped()).isFalse();
    }

    @Test
    void settingsChangeTheDefaults() {
        session.set("hive.transform.escape.input", "true")
                .set("hive.script.serde", "org.apache.hadoop.hive.serde2.OpenCSVSerde")
                .set("hive.exec.script.wrapper", "nice -n 5");
        Script script = script("select transform(k) using 'cat' as (x) from pv2");
        assertThat(script.escaped()).isTrue();
        assertThat(script.wrapper()).isEqualTo(List.of("nice", "-n", "5"));
        assertThat(script.input().format().properties().get("serialization.format"))
                .isEqualTo("1");
        assertThat(script.output().format().serde()).isEqualTo("org.apache.hadoop.hive.serde2.OpenCSVSerde");
    }

    @Test
    void aScriptMayGiveOtherRowsEachTime() {
        assertThat(Repeatability.of(session.analyze("select transform(k) using 'cat' from pv2")
                        .rel()))
                .isFalse();
        assertThat(Repeatability.of(session.analyze("select k from pv2").rel())).isTrue();
    }

    private void refused(StandardErrorCode code, String query, String text) {
        assertThatThrownBy(() -> session.analyze(query)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.getMessage()).contains(text);
        });
    }

    @Test
    void whatIsWrongIsNamed() {
        refused(
                StandardErrorCode.COLUMN_NOT_FOUND,
                "select transform(k) using 'cat' as (x) from pv2 order by k",
                "possible column names are: x");
        refused(
                StandardErrorCode.SEMANTIC_ERROR,
                "select transform(k) using 'cat' as (x, x) from pv2",
                "Column alias already exists: x");
        refused(StandardErrorCode.SEMANTIC_ERROR, "select transform(k) using ' ' as (x) from pv2", "no program");
        refused(
                StandardErrorCode.SEMANTIC_ERROR,
                "select transform(k) row format delimited lines terminated by ',' using 'cat' from pv2",
                "LINES TERMINATED BY only supports newline");
        refused(
                StandardErrorCode.SEMANTIC_ERROR,
                "select transform(k) row format serde 'no.Such' using 'cat' from pv2",
                "no.Such");
        refused(
                StandardErrorCode.NOT_SUPPORTED,
                "select transform(k) recordwriter 'org.apache.hadoop.hive.ql.exec.BinaryRecordWriter' using 'cat'"
                        + " from pv2",
                "BinaryRecordWriter");
        session.set("hive.script.recordreader", "org.apache.hadoop.hive.ql.exec.BinaryRecordReader");
        refused(
                StandardErrorCode.NOT_SUPPORTED,
                "select transform(k) using 'cat' from pv2",
                "org.apache.hadoop.hive.ql.exec.BinaryRecordReader");
    }

    @Test
    void scriptsAreRefusedWhereTheyAreNotAllowed() {
        session.set("skep.script.enabled", "false");
        refused(StandardErrorCode.ACCESS_DENIED, "select transform(k) using 'cat' from pv2", "no scripts");
        refused(StandardErrorCode.ACCESS_DENIED, "select * from (map k using 'cat' as (x) from pv2) q", "no scripts");
    }
}
