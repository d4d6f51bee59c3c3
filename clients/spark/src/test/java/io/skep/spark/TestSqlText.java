package io.skep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and texts that try to be more than one name or one literal. */
final class TestSqlText {
    @Test
    void namesAreQuoted() {
        assertThat(SqlText.name("a")).isEqualTo("`a`");
        assertThat(SqlText.name("a b.c")).isEqualTo("`a b.c`");
        assertThat(SqlText.name("`; drop table t --")).isEqualTo("```; drop table t --`");
        assertThat(SqlText.path(List.of("d", "t`"))).isEqualTo("`d`.`t```");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "${hiveconf:x}", "a\nb", "\0"})
    void namesThatHiveQlCannotHaveAreRefused(String name) {
        assertThatThrownBy(() -> SqlText.name(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textsStayOneLiteral() {
        assertThat(SqlText.literal("a")).isEqualTo("'a'");
        assertThat(SqlText.literal("it's")).isEqualTo("'it\\'s'");
        assertThat(SqlText.literal("\\")).isEqualTo("'\\\\'");
        assertThat(SqlText.literal("\\' or 1=1 --")).isEqualTo("'\\\\\\' or 1=1 --'");
        assertThat(SqlText.literal("${env:HOME} $ {")).isEqualTo("'$\\u007benv:HOME} $ {'");
        assertThat(SqlText.literal("$${x}")).doesNotContain("${");
        assertThat(SqlText.literal("a\n\0\u0085")).isEqualTo("'a\\u000a\\u0000\\u0085'");
        assertThat(SqlText.literal("\"`ä😀")).isEqualTo("'\"`ä😀'");
    }

    @Test
    void tableNamesAreRead() {
        assertThat(TableName.parse("t").sql()).isEqualTo("`t`");
        assertThat(TableName.parse("db.t").sql()).isEqualTo("`db`.`t`");
        assertThat(TableName.parse("`d``b`.`t u`").sql()).isEqualTo("`d``b`.`t u`");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a.", ".a", "a.b.c", "a b", "t; drop table u", "t where 1=1", "`a", "a`b`", "(select 1)"})
    void whatIsNoNameIsRefused(String text) {
        assertThatThrownBy(() -> TableName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
