package io.skep.storage.serde;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The expected values are those of Hive 4.0.1. */
class TestCsvLine {
    private static List<String> values(String text) {
        return new CsvLine(',', '"', '\\').values(text);
    }

    @Test
    void quotesAndSpaces() {
        assertThat(values("a,\"b,c\",d")).containsExactly("a", "b,c", "d");
        assertThat(values("\"a\"\"b\",\"\",\"\"\"\"")).containsExactly("a\"b", "", "\"");
        assertThat(values("say \"hi\",x")).containsExactly("say \"hi", "x");
        assertThat(values(" a , b ")).containsExactly(" a ", " b ");
        assertThat(values("\"a\" ,\"b\", \"c\"")).containsExactly("a ", "b", "c");
        assertThat(values("")).isEmpty();
        assertThat(values(",")).containsExactly("", "");
    }

    @Test
    void escapes() {
        assertThat(values("a\\,b")).containsExactly("a", "b");
        assertThat(values("\"a\\\"b\",\"c\\\\\"")).containsExactly("a\"b", "c\\");
        assertThat(values("\\N,x\\ny")).containsExactly("N", "xny");
        assertThat(new CsvLine('\t', '\'', '|').values("'a|'b'\tc||d")).containsExactly("a'b", "c|d");
    }

    @Test
    void quotesThatAreNotClosed() {
        assertThat(values("\"a,b")).isEmpty();
        assertThat(values("a,\"b,c")).containsExactly("a");
        assertThat(values("a,\"b\nc\",d\ne")).containsExactly("a", "b\nc", "d");
    }
}
