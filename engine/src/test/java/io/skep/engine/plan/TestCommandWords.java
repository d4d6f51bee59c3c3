package io.skep.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestCommandWords {
    @Test
    void spacesAndQuotesSeparateWords() {
        assertThat(CommandWords.of("python3  a.py 'x y' \"it's\""))
                .isEqualTo(List.of("python3", "a.py", "x y", "it's"));
        assertThat(CommandWords.of("a'b c'd")).isEqualTo(List.of("a", "b c", "d"));
        assertThat(CommandWords.of("'' \"\" ")).isEmpty();
        assertThat(CommandWords.of("a 'open end")).isEqualTo(List.of("a", "open end"));
        assertThat(CommandWords.of("a\\ b\tc")).isEqualTo(List.of("a\\", "b\tc"));
    }
}
