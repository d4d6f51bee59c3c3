package io.skep.itests.random;

import io.skep.itests.random.Table.Column;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables of random queries: of each format, with and without NULLs, skewed, with several row groups, partitioned,
 * and empty.
 */
final class RandomTables {
    private static final List<Column> COLUMNS = List.of(
            new Column("id", "INT", Kind.INTEGER),
            new Column("k", "INT", Kind.INTEGER),
            new Column("c_tiny", "TINYINT", Kind.INTEGER),
            new Column("c_small", "SMALLINT", Kind.INTEGER),
            new Column("c_big", "BIGINT", Kind.INTEGER),
            new Column("c_dec", "DECIMAL(9,2)", Kind.DECIMAL),
            new Column("c_wide", "DECIMAL(22,3)", Kind.DECIMAL),
            new Column("c_float", "FLOAT", Kind.DOUBLE),
            new Column("c_double", "DOUBLE", Kind.DOUBLE),
            new Column("c_text", "STRING", Kind.TEXT),
            new Column("c_varchar", "VARCHAR(12)", Kind.TEXT),
            new Column("c_char", "CHAR(6)", Kind.TEXT),
            new Column("c_date", "DATE", Kind.DATE),
            new Column("c_time", "TIMESTAMP", Kind.TIMESTAMP),
            new Column("c_flag", "BOOLEAN", Kind.BOOLEAN));

    private static final String GROUPS = "STORED AS ORC TBLPROPERTIES ('orc.row.index.stride'='1000')";

    /** The largest table. */
    static final Table FACTS = new Table("facts", GROUPS, "", 2_600, 0.1, false, COLUMNS);

    static final List<Table> ALL = List.of(
            FACTS,
            new Table("parts", "STORED AS ORC", "p", 400, 0.2, false, with(new Column("p", "INT", Kind.INTEGER))),
            new Table("dims", "STORED AS PARQUET", "", 150, 0, false, COLUMNS),
            new Table("days", "STORED AS PARQUET", "d", 90, 0.3, false, with(new Column("d", "STRING", Kind.TEXT))),
            new Table("notes", "STORED AS TEXTFILE", "", 60, 0.5, false, COLUMNS),
            new Table("nothing", "STORED AS ORC", "", 0, 0, false, COLUMNS),
            new Table("edges", "STORED AS ORC", "", 40, 0.2, true, COLUMNS));

    private RandomTables() {}

    /** Whether a query names a table with values at the limits of types, even if it does not use those values. */
    static boolean usesLimitValues(String sql) {
        return ALL.stream().anyMatch(table -> table.extreme() && sql.contains(table.name() + " "));
    }

    private static List<Column> with(Column partition) {
        List<Column> columns = new ArrayList<>(COLUMNS);
        columns.add(partition);
        return columns;
    }
}
