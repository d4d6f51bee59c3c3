package io.skep.ql.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.HiveSqlParser;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The expressions are those that Hive 4.0.1 has stored. */
final class TestScheduleExpression {
    private static String expression(String schedule) {
        String statement = "CREATE SCHEDULED QUERY q " + schedule + " AS SELECT 1";
        return ScheduleExpression.of(
                new HiveSqlParser(Map.of()).parse(statement).child(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "CRON '0 0 0 1 * ? 2030' | 0 0 0 1 * ? 2030",
                "EVERY DAY | 0 0 0 * * ? *",
                "EVERY 1 DAY AT '02:03:04' | 4 3 2 * * ? *",
                "EVERY DAY OFFSET BY '2:03:04' | 4 3 2 * * ? *",
                "EVERY HOUR | 0 0 * * * ? *",
                "EVERY 2 HOURS OFFSET BY '0:10:00' | 0 10 */2 * * ? *",
                "EVERY 4 HOURS OFFSET BY '2:03:04' | 4 3 2/4 * * ? *",
                "EVERY HOUR AT '2026-01-02 03:04:05' | 5 4 3/1 * * ? *",
                "EVERY MINUTE | 0 * * * * ? *",
                "EVERY 10 MINUTES | 0 */10 * * * ? *",
                "EVERY 10 MINUTES AT '00:03' | 0 3/10 * * * ? *",
                "EVERY SECOND | * * * * * ? *",
                "EVERY 10 SECONDS | */10 * * * * ? *",
                "EVERY SECONDS OFFSET BY '0:00:03' | 3/1 * * * * ? *",
                "EVERY 5 SECONDS OFFSET BY '0:00:03' | 3/5 * * * * ? *"
            })
    void hasHivesForm(String schedule, String expected) {
        assertThat(expression(schedule)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EVERY 2 DAYS",
                "EVERY MONTH",
                "EVERY 3 YEARS",
                "EVERY 0 SECONDS",
                "EVERY 90 SECONDS",
                "EVERY 60 MINUTES",
                "EVERY 24 HOURS",
                "EVERY 1.5 HOURS",
                "EVERY HOUR AT 'noon'"
            })
    void othersAreRefused(String schedule) {
        assertThatThrownBy(() -> expression(schedule))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_ARGUMENT));
    }
}
