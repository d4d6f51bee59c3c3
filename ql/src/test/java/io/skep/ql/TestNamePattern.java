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
        assertThat(NamePattern.like("").matches("")).isTrue();
        assertThat(NamePattern.like("").matches("a")).isFalse();
        assertThat(NamePattern.like("%").matches("")).isTrue();
        assertThat(NamePattern.like("a_c").matches("abc")).isTrue();
        assertThat(NamePattern.like("a_c").matches("ac")).isFalse();
        assertThat(NamePattern.like("*b*").matches("abc")).isFalse();
        assertThat(NamePattern.ofDriver("*b%").matches("abc")).isTrue();
        assertThat(NamePattern.like("a.c").matches("abc")).isFalse();
        assertThat(NamePattern.like("a\\_c").matches("a_c")).isTrue();
        assertThat(NamePattern.like("a\\_c").matches("abc")).isFalse();
        assertThat(NamePattern.like("a\\").matches("a\\")).isTrue();
        assertThat(NamePattern.withStars("*b*").matches("abc")).isTrue();
        assertThat(NamePattern.withStars("a_c").matches("abc")).isFalse();
        assertThat(NamePattern.withStars("%\\*").matches("%\\c")).isTrue();
    }

    @Test
    void theyMeanWhatRegularExpressionsMean() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String pattern = random(random, "ab%_", 6);
            String name = random(random, "ab", 8);
            String regex = pattern.replace("%", ".*").replace('_', '.');
            assertThat(NamePattern.like(pattern).matches(name))
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
        assertThat(NamePattern.like("%a".repeat(1_000) + "%b").matches("a".repeat(10_000)))
                .isFalse();
    }
}
