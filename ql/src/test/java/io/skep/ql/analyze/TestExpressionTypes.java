package io.skep.ql.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.ql.testing.AnalysisFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares the types of expressions with those that Hive itself returns. */
class TestExpressionTypes {
    private final AnalysisFixture session = new AnalysisFixture();

    @Test
    void typesAreHives() throws IOException {
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        for (String line : lines()) {
            if (line.startsWith("#") || line.isBlank()) {
                continue;
            }
            String[] parts = line.split("\t");
            String types = types(parts[0]);
            if (!types.equals(parts[1])) {
                wrong.add(parts[0] + ": " + types + " and not " + parts[1]);
            }
            checked++;
        }
        assertThat(wrong).isEmpty();
        assertThat(checked).isGreaterThan(500);
    }

    private String types(String expression) {
        try {
            List<String> types = new ArrayList<>();
            session.analyze("select " + expression).types().forEach(type -> types.add(type.displayName()));
            return String.join(" | ", types);
        } catch (SkepException e) {
            return e.fullMessage();
        }
    }

    private static List<String> lines() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(TestExpressionTypes.class.getResourceAsStream("expression-types.tsv"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
