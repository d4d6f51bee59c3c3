package io.skep.ql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class TestNamePattern {
    @Test
    void patternsMatchWholeNames() {
        assertThat(NamePattern.of("").matches("")).isTrue();
        assertThat(NamePattern.of("").matches("a")).isFalse();
        assertThat(NamePattern.of("%").matches("")).isTrue();
        assertThat(NamePattern.of("a_c").matches("abc")).isTrue();
        assertThat(NamePattern.of("a_c").matches("ac")).isFalse();
        assertThat(NamePattern.of("*b*").matches("abc")).isTrue();
        assertThat(NamePattern.of("a.c").matches("abc")).isFalse();
        assertThat(NamePattern.withEscapes("a\\_c").matches("a_c")).isTrue();
        assertThat(NamePattern.withEscapes("a\\_c").matches("abc")).isFalse();
        assertThat(NamePattern.withEscapes("a\\").matches("a\\")).isTrue();
        assertThat(NamePattern.of("a\\").matches("a\\")).isTrue();
    }

    @Test
    void theyMeanWhatRegularExpressionsMean() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String pattern = random(random, "ab%_", 6);
            String name = random(random, "ab", 8);
            String regex = pattern.replace("%", ".*").replace('_', '.');
            assertThat(NamePattern.of(pattern).matches(name))
                    .as("%s for %s", pattern, name)
                    .isEqualTo(Pattern.matches(regex, name));
        }
    }

    private static String random(Random random, String letters, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void hostilePatternsTakeNoTime() {
        assertThat(NamePattern.of("%a".repeat(1_000) + "%b").matches("a".repeat(10_000)))
                .isFalse();
    }
}
