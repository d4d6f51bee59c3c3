package io.skep.metastore.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TestSqlScript {
    @Test
    void statementsEndAtSemicolons() {
        assertThat(SqlScript.parse("create table a(x int);\n\ninsert into a\nvalues (1) ; ;")
                        .statements())
                .containsExactly("create table a(x int)", "insert into a\nvalues (1)");
    }

    @Test
    void commentsAreLeftOutAndQuotesKept() {
        String script = "-- one; two\nselect ';--' from \"x;y\" -- tail\nwhere a = 'it''s';\n--end";
        assertThat(SqlScript.parse(script).statements())
                .containsExactly("select ';--' from \"x;y\" \nwhere a = 'it''s'");
    }
}
