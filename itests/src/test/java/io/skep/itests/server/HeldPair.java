package io.skep.itests.server;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A change of a table's definition or rows, and the state after it runs concurrently with {@link #WRITE}. A state lists
 * table, row and partition, in order.
 */
enum HeldPair {
    DROP("DROP TABLE t", List.of(), List.of(), List.of()),
    RENAME("ALTER TABLE t RENAME TO u", List.of("u 1 1", "u 2 1"), List.of(), List.of("u 1 1")),
    TRUNCATE("TRUNCATE TABLE t", List.of(), List.of("t 2 1"), List.of()),
    SET_LOCATION(
            "ALTER TABLE t PARTITION (p = 1) SET LOCATION 'file:${f}/moved'", List.of(), List.of("t 2 1"), List.of()),
    ADD_PARTITION(
            "ALTER TABLE t ADD PARTITION (p = 2)",
            List.of("t 1 1", "t 2 1"),
            List.of("t 1 1", "t 2 1"),
            List.of("t 1 1")),
    DROP_PARTITION("ALTER TABLE t DROP PARTITION (p = 1)", List.of(), List.of("t 2 1"), List.of()),
    RENAME_PARTITION(
            "ALTER TABLE t PARTITION (p = 1) RENAME TO PARTITION (p = 2)",
            List.of("t 1 2", "t 2 2"),
            List.of("t 1 2", "t 2 1"),
            List.of("t 1 2")),
    EXCHANGE(
            "ALTER TABLE u EXCHANGE PARTITION (p = 1) WITH TABLE t",
            List.of("u 1 1", "u 2 1"),
            List.of("t 2 1", "u 1 1"),
            List.of("u 1 1")),
    LOAD(
            "LOAD DATA LOCAL INPATH '${f}/rows' INTO TABLE t PARTITION (p = 1)",
            List.of("t 1 1", "t 2 1", "t 7 1"),
            List.of("t 1 1", "t 2 1", "t 7 1"),
            List.of("t 1 1", "t 7 1")),
    MSCK(
            "MSCK REPAIR TABLE t",
            List.of("t 1 1", "t 2 1", "t 9 3"),
            List.of("t 1 1", "t 2 1", "t 9 3"),
            List.of("t 1 1", "t 9 3"));

    static final List<String> TABLES = List.of("t", "u");

    /** The state after {@link #setup}. */
    static final List<String> FIRST = List.of("t 1 1");

    static final String WRITE = "INSERT INTO t PARTITION (p = 1) VALUES (2)";

    private final String text;
    private final List<String> after;
    private final List<String> before;
    private final List<String> alone;

    HeldPair(String text, List<String> after, List<String> before, List<String> alone) {
        this.text = text;
        this.after = after;
        this.before = before;
        this.alone = alone;
    }

    List<String> setup() {
        String table = (this == MSCK ? "CREATE EXTERNAL TABLE" : "CREATE TABLE")
                + " %s (a INT) PARTITIONED BY (p INT) STORED AS TEXTFILE";
        List<String> setup =
                new ArrayList<>(List.of(table.formatted("t"), "INSERT INTO t PARTITION (p = 1) VALUES (1)"));
        if (this == EXCHANGE) {
            setup.add(table.formatted("u"));
        }
        if (this == MSCK) {
            // Creates the folder of a partition that is not in the catalog. The folder is deleted together with the
            // table at the end.
            setup.add("INSERT INTO t PARTITION (p = 3) VALUES (9)");
            setup.add("ALTER TABLE t DROP PARTITION (p = 3)");
            setup.add("ALTER TABLE t SET TBLPROPERTIES ('external.table.purge' = 'true')");
        }
        return setup;
    }

    String change(Path folder) {
        return text.replace("${f}", folder.toString());
    }

    /** Returns the state if the change comes after the write. */
    List<String> after() {
        return after;
    }

    /** Returns the state if the change comes before the write. */
    List<String> before() {
        return before;
    }

    /** Returns the state if the write fails because its table was replaced. */
    List<String> alone() {
        return alone;
    }

    /** Returns all rows of all tables. */
    static List<String> state(Statement statement) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet tables = statement.executeQuery("SHOW TABLES")) {
            while (tables.next()) {
                found.add(tables.getString(1));
            }
        }
        List<String> state = new ArrayList<>();
        for (String table : TABLES) {
            if (found.contains(table)) {
                try (ResultSet rows = statement.executeQuery("SELECT a, p FROM " + table)) {
                    while (rows.next()) {
                        state.add(table + " " + rows.getInt(1) + " " + rows.getInt(2));
                    }
                }
            }
        }
        state.sort(null);
        return state;
    }
}
