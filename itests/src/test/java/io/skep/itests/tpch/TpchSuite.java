package io.skep.itests.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.bench.Answer;
import io.skep.bench.TpchTables;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.itests.server.TestServer;
import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** TPC-H at scale 0.01 in the database {@code tpch} of a server, and DuckDB's answers. */
public final class TpchSuite {
    private static final double SCALE = 0.01;
    private static final int PAGE_ROWS = 10_000;

    private final Map<Integer, Answer> expected = new HashMap<>();

    /** @param folder for the rows as text */
    public void load(TestServer server, Path folder) throws IOException, SQLException {
        ClientSession session = server.server().sessions().open("tpch", "test", Map.of());
        try (Connection peer = DriverManager.getConnection("jdbc:duckdb:")) {
            run(session, "CREATE DATABASE tpch");
            for (var table : TpchTables.COLUMNS.entrySet()) {
                Path file =
                        Files.createDirectories(folder.resolve(table.getKey())).resolve("rows");
                TpchTables.write(table.getKey(), SCALE, file);
                loadOrc(session, table.getKey(), table.getValue(), file);
                loadPeer(peer, table.getKey(), table.getValue(), file);
            }
            for (int query = 1; query <= TpchTables.QUERIES; query++) {
                expected.put(query, ask(peer, TpchTables.query(query, SCALE)));
            }
        } finally {
            server.server().sessions().close(session.id());
        }
    }

    private static void loadOrc(ClientSession session, String table, String columns, Path file) {
        run(
                session,
                "CREATE EXTERNAL TABLE tpch." + table + "_text (" + columns
                        + ") ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE LOCATION 'file:"
                        + file.getParent() + "'");
        run(session, "CREATE TABLE tpch." + table + " STORED AS ORC AS SELECT * FROM tpch." + table + "_text");
        run(session, "DROP TABLE tpch." + table + "_text");
        run(session, "ANALYZE TABLE tpch." + table + " COMPUTE STATISTICS FOR COLUMNS");
    }

    private static void loadPeer(Connection peer, String table, String columns, Path file) throws SQLException {
        try (Statement statement = peer.createStatement()) {
            statement.execute("CREATE TABLE " + table + " (" + columns + ")");
            statement.execute("COPY " + table + " FROM '" + file + "' (DELIMITER '|', HEADER false, QUOTE '')");
        }
    }

    private static Answer ask(Connection peer, String sql) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (Statement statement = peer.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(String.valueOf(result.getObject(i)));
                }
                rows.add(row);
            }
        }
        return new Answer(rows);
    }

    public static void drop(TestServer server) {
        ClientSession session = server.server().sessions().open("tpch", "test", Map.of());
        try {
            run(session, "DROP DATABASE tpch CASCADE");
        } finally {
            server.server().sessions().close(session.id());
        }
    }

    /** Each query in each mode, which is a list of settings. */
    public static Stream<Arguments> runs(List<List<String>> modes) {
        return modes.stream()
                .flatMap(mode ->
                        IntStream.rangeClosed(1, TpchTables.QUERIES).mapToObj(query -> Arguments.of(query, mode)));
    }

    public void check(int query, List<String> mode, TestServer server) throws IOException {
        ClientSession session = server.server().sessions().open("tpch", "test", Map.of("use:database", "tpch"));
        try {
            mode.forEach(setting -> run(session, "SET " + setting));
            Answer answer = new Answer(run(session, TpchTables.query(query, SCALE)));
            Answer wanted = expected.get(query);
            assertThat(wanted).isNotNull();
            if (wanted != null) {
                assertThat(answer.difference(wanted)).as("q%d", query).isEmpty();
            }
        } finally {
            server.server().sessions().close(session.id());
        }
    }

    private static List<List<String>> run(ClientSession session, String sql) {
        Operation operation = session.execute(sql, false);
        List<List<String>> rows = new ArrayList<>();
        if (operation.schema().isPresent()) {
            ResultPage page = operation.fetch(PAGE_ROWS);
            while (page.rowCount() > 0) {
                collect(page, rows);
                page = operation.fetch(PAGE_ROWS);
            }
        }
        session.close(operation.id());
        return rows;
    }

    private static void collect(ResultPage page, List<List<String>> rows) {
        for (Batch batch : page.batches()) {
            for (int row = 0; row < batch.rowCount(); row++) {
                List<String> cells = new ArrayList<>();
                for (int i = 0; i < batch.columnCount(); i++) {
                    SqlType type = page.schema().columns().get(i).type();
                    cells.add(text(Datum.of(batch.column(i), row, type), type));
                }
                rows.add(cells);
            }
        }
    }

    private static String text(Datum value, SqlType type) {
        return switch (value) {
            case Datum.Null n -> "null";
            case Datum.OfLong v
            when type == PrimitiveType.DATE -> LocalDate.ofEpochDay(v.value()).toString();
            case Datum.OfLong v
            when type instanceof DecimalType decimal ->
                new BigDecimal(BigInteger.valueOf(v.value()), decimal.scale()).toPlainString();
            case Datum.OfDecimal v -> new BigDecimal(v.unscaled(), ((DecimalType) type).scale()).toPlainString();
            case Datum.OfLong v -> Long.toString(v.value());
            case Datum.OfDouble v -> Double.toString(v.value());
            default -> value.toString();
        };
    }
}
