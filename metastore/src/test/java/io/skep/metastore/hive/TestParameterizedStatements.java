package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.hive.ParameterizedStatements.Parameterized;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestParameterizedStatements {
    @Test
    void numbersOfColumnsBecomeParameters() {
        assertThat(Parameterized.of(
                        "UPDATE \"T\" SET \"A\" = 5 WHERE \"B\"=-7 AND \"C\" in (8) AND \"D\" <= -9223372036854775808"))
                .isEqualTo(new Parameterized(
                        "UPDATE \"T\" SET \"A\" = ? WHERE \"B\"=? AND \"C\" in (?) AND \"D\" <= ?",
                        List.of(5L, -7L, 8L, Long.MIN_VALUE)));
    }

    @Test
    void otherNumbersAndTextsStay() {
        for (String same : List.of(
                "SELECT -5, \"A\" FROM \"T\" FETCH FIRST 1 ROWS ONLY",
                "SELECT 1 FROM \"T\" WHERE \"A\" IN (1, 2) AND \"B\" = 1.5",
                "SELECT 1 FROM \"T\" WHERE \"A\" = '\"B\" = 5' AND \"C\" = ?",
                "SELECT 1 FROM \"T\" WHERE \"A\" = 9223372036854775808",
                "SELECT 1 FROM \"T\" WHERE \"A\" = ? AND \"B\" = 5")) {
            assertThat(Parameterized.of(same)).isEqualTo(new Parameterized(same, List.of()));
        }
        assertThat(Parameterized.of("DELETE FROM \"T\" WHERE \"A\" = 'it''s \"B\" = 5' AND \"C\" = 6"))
                .isEqualTo(new Parameterized(
                        "DELETE FROM \"T\" WHERE \"A\" = 'it''s \"B\" = 5' AND \"C\" = ?", List.of(6L)));
    }
}
