package io.skep.bench;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import io.trino.tpcds.column.Column;
import io.trino.tpcds.column.ColumnType;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** TPC-DS's 24 tables: their columns with types as in the specification, and rows as text. */
public final class TpcdsTables {
    /** The column definitions by table. */
    public static final Map<String, String> COLUMNS = columns();

    /** The file of a table's rows, in a folder with the table's name. */
    public static final String FILE = "rows";

    /** What the text has in place of a null. */
    public static final String NULL = "\\N";

    private TpcdsTables() {}

    private static Map<String, String> columns() {
        Map<String, String> tables = new LinkedHashMap<>();
        for (Table table : tables()) {
            tables.put(
                    table.getName(),
                    Arrays.stream(table.getColumns())
                            .map(column -> column.getName() + " " + type(column.getType()))
                            .collect(Collectors.joining(", ")));
        }
        return tables;
    }

    /** Returns the names of a table's columns. */
    static List<String> names(String table) {
        return Arrays.stream(Table.getTable(table).getColumns())
                .map(Column::getName)
                .toList();
    }

    /** No query reads the table that describes the generator itself. */
    private static List<Table> tables() {
        return Table.getBaseTables().stream()
                .filter(table -> table != Table.DBGEN_VERSION)
                .toList();
    }

    private static String type(ColumnType type) {
        return switch (type.getBase()) {
            case IDENTIFIER -> "BIGINT";
            case INTEGER -> "INT";
            case DATE -> "DATE";
            case TIME -> "VARCHAR(8)";
            case CHAR -> "CHAR(" + type.getPrecision().orElseThrow() + ")";
            case VARCHAR -> "VARCHAR(" + type.getPrecision().orElseThrow() + ")";
            case DECIMAL ->
                "DECIMAL(" + type.getPrecision().orElseThrow() + ","
                        + type.getScale().orElseThrow() + ")";
        };
    }

    /** Writes the rows of all tables, one per line, with fields separated by {@code |}. */
    public static void write(double scale, Path folder) throws IOException {
        Session session = Session.getDefaultSession().withScale(scale);
        for (Table table : tables()) {
            // The generator makes the returns along with the sales that they belong to.
            if (!table.isChild()) {
                write(table, session, folder);
            }
        }
    }

    private static void write(Table table, Session session, Path folder) throws IOException {
        if (!table.hasChild()) {
            try (BufferedWriter out = open(table, folder)) {
                for (List<List<String>> rows : Results.constructResults(table, session)) {
                    line(out, rows.getFirst());
                }
            }
            return;
        }
        try (BufferedWriter out = open(table, folder);
                BufferedWriter children = open(table.getChild(), folder)) {
            for (List<List<String>> rows : Results.constructResults(table, session)) {
                line(out, rows.getFirst());
                for (List<String> child : rows.subList(1, rows.size())) {
                    line(children, child);
                }
            }
        }
    }

    private static BufferedWriter open(Table table, Path folder) throws IOException {
        return Files.newBufferedWriter(
                Files.createDirectories(folder.resolve(table.getName())).resolve(FILE));
    }

    private static void line(BufferedWriter out, List<String> row) throws IOException {
        String separator = "";
        for (String field : row) {
            out.append(separator).append(field == null ? NULL : field);
            separator = "|";
        }
        out.append('\n');
    }
}
