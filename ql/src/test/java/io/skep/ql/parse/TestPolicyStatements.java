package io.skep.ql.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import java.util.Map;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.junit.jupiter.api.Test;

/** Parses statements about row filters and masks, and leaves all others to Hive. */
final class TestPolicyStatements {
    private static SyntaxNode parse(String text) {
        return new HiveSqlParser(Map.of()).parse(text);
    }

    private static String tree(String text) {
        return parse(text).toString().replaceAll("TOK_", "");
    }

    @Test
    void parsesAllForms() {
        assertThat(tree("alter table t set row filter (a = 1)"))
                .isEqualTo("(ALTERTABLE (TABNAME t) (ALTERTABLE_ROWFILTER (= (TABLE_OR_COL a) 1)))");
        assertThat(tree("ALTER TABLE `d x`.`t` DROP\nROW FILTER"))
                .isEqualTo("(ALTERTABLE (TABNAME d x t) ALTERTABLE_ROWFILTER)");
        assertThat(tree("alter table d.t alter column `set` set mask ('x')"))
                .isEqualTo("(ALTERTABLE (TABNAME d t) (ALTERTABLE_MASK set 'x'))");
        assertThat(tree("alter view v alter column c drop mask"))
                .isEqualTo("(ALTERVIEW (TABNAME v) (ALTERTABLE_MASK c))");
        assertThat(tree("alter table filter set row /* ( */ filter((a) or (select max(b) from u) = ')')"))
                .startsWith(
                        "(ALTERTABLE (TABNAME filter) (ALTERTABLE_ROWFILTER (or (TABLE_OR_COL a) (= (SUBQUERY_EXPR");
        assertThat(parse("alter table t set row filter (true)").child(1).is(SyntaxNode.ROW_FILTER))
                .isTrue();
        assertThat(parse("alter view t set row filter (true)").is(HiveParser.TOK_ALTERVIEW))
                .isTrue();
    }

    @Test
    void leavesOtherStatementsToHive() {
        assertThat(tree("alter table t set tblproperties ('a' = 'b')")).contains("ALTERTABLE_PROPERTIES");
        assertThat(tree("alter table `row` change filter mask int")).contains("ALTERTABLE_RENAMECOL");
        for (String other : new String[] {
            "alter table t set row",
            "alter table t set row filters (a)",
            "alter table t alter column c",
            "alter table t alter column c set masks (1)",
            "alter table",
            "alter table t.",
            "alter",
            "alter table t 'set' row filter (true)",
            "alter table t alter column 'c' set mask (1)",
            "alter table t alter column 7 drop mask"
        }) {
            assertThatThrownBy(() -> parse(other))
                    .as(other)
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.SYNTAX_ERROR));
        }
    }

    @Test
    void positionsAreThoseOfTheStatement() {
        SyntaxNode filter =
                parse("alter table t\n  set row filter (\n a = 'x')").child(1).child(0);
        assertThat(filter.child(0).position()).isEqualTo(new TextPosition(3, 1));
        assertThat(filter.source()).isEqualTo("a = 'x'");
        assertThat(parse("alter table t alter column c set mask (b)")
                        .child(1)
                        .child(0)
                        .position())
                .isEqualTo(new TextPosition(1, 27));
        for (String[] wrong : new String[][] {
            {"alter table t set row filter a = 1", "29"},
            {"alter table t set row filter (a = )", "34"},
            {"alter table t set row filter (a = 1", "29"},
            {"alter table t set row filter (a = 1) cascade", "37"},
            {"alter table t drop row filter (a)", "30"},
            {"alter table t set row filter (a from u)", "29"},
            {"alter table t set row filter (a b)", "29"},
            {"alter table t set row filter (a, b)", "29"},
            {"alter table t set row filter (distinct a)", "29"},
            {"alter table t set row filter (a union all select b)", "29"},
            {"alter table t alter column c set mask", "37"},
        }) {
            assertThatThrownBy(() -> parse(wrong[0])).as(wrong[0]).isInstanceOfSatisfying(SkepException.class, e -> {
                assertThat(e.code()).isEqualTo(StandardErrorCode.SYNTAX_ERROR);
                assertThat(e.position()).contains(new TextPosition(1, Integer.parseInt(wrong[1])));
            });
        }
    }
}
