package io.skep.engine.function.scalar;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.function.RandomVectors;
import org.junit.jupiter.api.Test;

final class TestStartsWithFunction {
    private static final int ROWS = 2_000;

    /** Short prefixes of the text of the same row, and texts of their own. */
    @Test
    void givesWhatStringGives() {
        RandomVectors random = new RandomVectors(3);
        Vector texts = random.vector(PrimitiveType.STRING, ROWS);
        Vector others = random.vector(PrimitiveType.STRING, ROWS);
        check(texts, others);
        check(others, texts);
        check(texts, texts);
        Vector heads = new LetterCase(true).evaluate(new Vector[] {texts}, ROWS);
        check(texts, heads);
    }

    private static void check(Vector texts, Vector prefixes) {
        Vector results = new StartsWithFunction().evaluate(new Vector[] {texts, prefixes}, ROWS);
        for (int row = 0; row < ROWS; row++) {
            boolean missing = texts.isNull(row) || prefixes.isNull(row);
            assertThat(results.isNull(row)).isEqualTo(missing);
            if (!missing) {
                String text = Values.datum(texts, row).toString();
                String prefix = Values.datum(prefixes, row).toString();
                assertThat(Values.datum(results, row))
                        .as(text + ", " + prefix)
                        .isEqualTo(new Datum.OfLong(text.startsWith(prefix) ? 1 : 0));
            }
        }
    }
}
