package io.skep.engine.function.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class TestSplitPartFunction {
    private static final int ROWS = 3_000;
    private static final List<String> DELIMITERS = List.of("a", "ab", "é", "b", "", "abab");

    /** Texts of few letters, so that delimiters stand in them, next to one another and at both ends. */
    @Test
    void givesThePartsThatStringHas() {
        Random random = new Random(17);
        VectorAppender texts = VectorAppender.of(PrimitiveType.STRING);
        VectorAppender delimiters = VectorAppender.of(PrimitiveType.STRING);
        long[] indexes = random.longs(ROWS, 1, 6).toArray();
        for (int row = 0; row < ROWS; row++) {
            Datum.ofText(text(random)).appendTo(texts, PrimitiveType.STRING);
            Datum.ofText(DELIMITERS.get(random.nextInt(DELIMITERS.size()))).appendTo(delimiters, PrimitiveType.STRING);
        }
        Vector[] arguments = {texts.build(), delimiters.build(), new LongVector(indexes, null, ROWS)};
        Vector results = new SplitPartFunction().evaluate(arguments, ROWS);
        for (int row = 0; row < ROWS; row++) {
            String text = Values.datum(arguments[0], row).toString();
            String delimiter = Values.datum(arguments[1], row).toString();
            assertThat(Values.datum(results, row))
                    .as(text + ", " + delimiter + ", " + indexes[row])
                    .isEqualTo(part(text, delimiter, (int) indexes[row]));
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        random.ints(random.nextInt(9), 0, 4).forEach(letter -> text.append("abé日".charAt(letter)));
        return text.toString();
    }

    private static Datum part(String text, String delimiter, int index) {
        String[] parts = text.isEmpty() && delimiter.isEmpty()
                ? new String[0]
                : text.split(Pattern.quote(delimiter), delimiter.isEmpty() ? 0 : -1);
        return index <= parts.length ? Datum.ofText(parts[index - 1]) : Datum.NULL;
    }

    @Test
    void anIndexCountsFromOne() {
        for (long index : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> evaluate("a-b", index))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_ARGUMENT));
        }
        assertThat(evaluate("a-b", Long.MAX_VALUE)).isEqualTo(Datum.NULL);
    }

    private static Datum evaluate(String text, long index) {
        Vector[] arguments = {
            Datum.ofText(text).toVector(PrimitiveType.STRING),
            Datum.ofText("-").toVector(PrimitiveType.STRING),
            new LongVector(new long[] {index}, null, 1)
        };
        return Values.datum(new SplitPartFunction().evaluate(arguments, 1), 0);
    }
}
