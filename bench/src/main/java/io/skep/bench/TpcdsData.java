package io.skep.bench;

import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/**
 * TPC-DS in a server, twice with the same rows: ORC tables that were written at once, and transactional tables whose
 * files have rows that later statements changed or deleted.
 */
public final class TpcdsData {
    /** The database of plain ORC tables. */
    public static final String ORC = "tpcds";

    /** The database of transactional tables. */
    public static final String TRANSACTIONAL = "tpcds_deltas";

    /** The database of the rows as text, while they are loaded. */
    private static final String TEXT = "tpcds_text";

    /** Keys below this number are of rows that will be deleted, other negative ones of rows that will be updated. */
    private static final long DELETED = -1_000_000_000;

    private TpcdsData() {}

    /**
     * Loads all tables into both databases.
     *
     * @param folder what {@link TpcdsTables#write} wrote
     */
    public static void load(Statement statement, Path folder) throws SQLException {
        for (String database : List.of(TEXT, ORC, TRANSACTIONAL)) {
            statement.execute("DROP DATABASE IF EXISTS " + database + " CASCADE");
            statement.execute("CREATE DATABASE " + database);
        }
        for (String table : TpcdsTables.COLUMNS.keySet()) {
            statement.execute("CREATE EXTERNAL TABLE " + TEXT + "." + table + " (" + TpcdsTables.COLUMNS.get(table)
                    + ") ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE LOCATION 'file:"
                    + folder.resolve(table) + "'");
            statement.execute(
                    "CREATE TABLE " + ORC + "." + table + " STORED AS ORC AS SELECT * FROM " + TEXT + "." + table);
            loadTransactional(statement, table);
        }
        statement.execute("DROP DATABASE " + TEXT + " CASCADE");
    }

    /**
     * Writes the rows by two statements. The first one has rows with wrong keys in place of some, the second one has
     * rows more than the table. An update corrects the former, a deletion removes the latter.
     */
    private static void loadTransactional(Statement statement, String table) throws SQLException {
        String own = TRANSACTIONAL + "." + table;
        String key = key(table);
        String source = " FROM " + ORC + "." + table;
        statement.execute("CREATE TABLE " + own + " (" + TpcdsTables.COLUMNS.get(table)
                + ") STORED AS ORC TBLPROPERTIES ('transactional' = 'true', 'no_auto_compaction' = 'true')");
        String wrong = "IF(pmod(" + key + ", 20) = 0, -" + key + " - 1, " + key + ")";
        statement.execute("INSERT INTO " + own + select(table, wrong) + source + " WHERE pmod(" + key + ", 2) = 0");
        String more = DELETED + " - " + key;
        statement.execute("INSERT INTO " + own + select(table, key) + source + " WHERE pmod(" + key
                + ", 2) = 1 UNION ALL" + select(table, more) + source + " WHERE pmod(" + key + ", 20) = 1");
        statement.execute("UPDATE " + own + " SET " + key + " = -" + key + " - 1 WHERE " + key + " < 0 AND " + key
                + " > " + DELETED);
        statement.execute("DELETE FROM " + own + " WHERE " + key + " <= " + DELETED);
    }

    /** Computes statistics of the transactional tables, whose changes left them without. */
    public static void analyze(Statement statement) throws SQLException {
        for (String table : TpcdsTables.COLUMNS.keySet()) {
            statement.execute("ANALYZE TABLE " + TRANSACTIONAL + "." + table + " COMPUTE STATISTICS FOR COLUMNS");
        }
    }

    private static String select(String table, String key) {
        return TpcdsTables.names(table).stream()
                .map(column -> column.equals(key(table)) ? key + " AS " + column : column)
                .collect(Collectors.joining(", ", " SELECT ", ""));
    }

    /** Returns a column of integers that is never null: what was sold, returned or stored, or the key of all others. */
    public static String key(String table) {
        List<String> names = TpcdsTables.names(table);
        return names.stream()
                .filter(name -> name.matches("(ss|sr|cs|cr|ws|wr|inv)_item_sk"))
                .findFirst()
                .orElse(names.getFirst());
    }
}
