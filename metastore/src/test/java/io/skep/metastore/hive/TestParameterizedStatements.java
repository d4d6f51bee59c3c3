package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.database.DerbyDatabase;
import io.skep.metastore.hive.ParameterizedStatements.Parameterized;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestParameterizedStatements {
    @Test
    void numbersOfColumnsBecomeParameters() {
        assertThat(Parameterized.of(
                        "UPDATE \"T\" SET \"A\" = 5 WHERE \"B\"=-7 AND \"C\" in (8) AND \"D\" <= -9223372036854775808"))
                .isEqualTo(new Parameterized(
                        "UPDATE \"T\" SET \"A\" = ? WHERE \"B\"=? AND \"C\" in (?) AND \"D\" <= ?",
                        numbers(5, -7, 8, Long.MIN_VALUE)));
    }

    @Test
    void otherNumbersAndTextsStay() {
        for (String same : List.of(
                "SELECT -5, \"A\" FROM \"T\" FETCH FIRST 1 ROWS ONLY",
                "SELECT 1 FROM \"T\" WHERE \"A\" IN (1, 2) AND \"B\" = 1.5",
                "SELECT 1 FROM \"T\" WHERE \"A\" = '\"B\" = 5 and ?'",
                "SELECT \"A\", 5, \"B\" FROM \"T\"",
                "SELECT 1 FROM \"T\" WHERE \"A\" = 9223372036854775808")) {
            assertThat(Parameterized.of(same)).isEqualTo(new Parameterized(same, List.of()));
        }
        assertThat(Parameterized.of("DELETE FROM \"T\" WHERE \"A\" = 'it''s \"B\" = 5' AND \"C\" = 6"))
                .isEqualTo(new Parameterized(
                        "DELETE FROM \"T\" WHERE \"A\" = 'it''s \"B\" = 5' AND \"C\" = ?", numbers(6)));
    }

    @Test
    void numbersBesideParametersKeepTheirPlaces() {
        assertThat(Parameterized.of(
                        "SELECT DISTINCT \"A\", -83452345234523452, \"B\" FROM \"T\" WHERE \"C\"=? AND \"D\" in (7)"))
                .isEqualTo(new Parameterized(
                        "SELECT DISTINCT \"A\", CAST(? AS BIGINT), \"B\" FROM \"T\" WHERE \"C\"=? AND \"D\" in (?)",
                        List.of(Optional.of(-83452345234523452L), Optional.empty(), Optional.of(7L))));
    }

    @Test
    void callersCountTheirOwnParameters(@TempDir Path folder) throws SQLException {
        String sql = "SELECT \"A\", 83452345234523452, \"B\" FROM (VALUES (1, 'x'), (2, 'y')) AS T (\"A\", \"B\")"
                + " WHERE \"B\" = ? AND \"A\" = 2 AND \"B\" <> ?";
        try (DerbyDatabase database = DerbyDatabase.open(folder.resolve("metastore"));
                Connection connection = DriverManager.getConnection(database.url());
                PreparedStatement statement = Parameterized.of(sql).prepare(connection)) {
            for (int run = 0; run < 2; run++) {
                statement.setString(1, "y");
                statement.setNull(2, statement.getParameterMetaData().getParameterType(2));
                statement.setString(2, "x");
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(List.of(rows.getInt(1), rows.getLong(2), rows.getString(3)))
                            .containsExactly(2, 83452345234523452L, "y");
                    assertThat(rows.next()).isFalse();
                }
                statement.clearParameters();
            }
        }
    }

    private static List<Optional<Long>> numbers(long... numbers) {
        return Arrays.stream(numbers).mapToObj(Optional::of).toList();
    }
}
