package io.skep.itests.external;

import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.JdbcSplits;
import io.skep.reader.SplitRows;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/** Gets splits over JDBC and reads them, and what JDBC itself answers. */
final class Splits {
    private Splits() {}

    /** Returns the splits with rows. */
    static List<ExternalSplit> of(Connection connection, String query, int count) throws SQLException {
        return JdbcSplits.of(connection, query, count).splits();
    }

    /** Returns the rows of a query as the released driver has them. */
    static List<List<String>> byJdbc(Connection connection, String query) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(query)) {
            int columns = results.getMetaData().getColumnCount();
            while (results.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    values.add(String.valueOf(results.getString(i)));
                }
                rows.add(values);
            }
        }
        return rows;
    }

    static List<List<String>> read(ExternalReader reader, List<ExternalSplit> splits) {
        List<List<String>> rows = new ArrayList<>();
        for (ExternalSplit split : splits) {
            try (SplitRows part = reader.read(split)) {
                while (part.next()) {
                    add(part.batch(), rows);
                }
            }
        }
        return rows;
    }

    static void add(VectorSchemaRoot batch, List<List<String>> rows) {
        for (int row = 0; row < batch.getRowCount(); row++) {
            List<String> values = new ArrayList<>();
            for (FieldVector column : batch.getFieldVectors()) {
                values.add(
                        column instanceof DateDayVector days && !days.isNull(row)
                                ? LocalDate.ofEpochDay(days.get(row)).toString()
                                : text(column.getObject(row)));
            }
            rows.add(values);
        }
    }

    /** Returns a value as the released driver's getString does. */
    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case LocalDateTime time -> Timestamp.valueOf(time).toString();
            case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
            case BigDecimal decimal -> decimal.toPlainString();
            default -> value.toString();
        };
    }
}
