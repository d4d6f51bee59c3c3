package io.skep.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A query of TPC-DS in Presto's dialect, with the parameters of Presto's benchmarks, whose library has its text. It is
 * translated by rules that hold for all queries.
 *
 * @param text the query, with names of tables only
 */
public record TpcdsQuery(String text) {
    public static final int QUERIES = 99;

    private static final String PLACEHOLDERS = "${database}.${schema}.";
    private static final Pattern ORDER_OR_LIMIT = Pattern.compile("ORDER BY\\b|LIMIT [0-9]+");

    /** Reads a query's text. */
    public static TpcdsQuery of(int number) throws IOException {
        String name = String.format(Locale.ROOT, "/sql/presto/tpcds/q%02d.sql", number);
        try (InputStream in = TpcdsQuery.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("there is no query " + number);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new TpcdsQuery(text.replace(PLACEHOLDERS, "").strip());
        }
    }

    /**
     * Returns the query with all columns of its result as its last sort keys. Where rows are equal in the query's own
     * keys, a limit leaves open which of them the answer has; now every engine has to choose the same.
     *
     * @param duckDb an engine with the tables, which knows the number of columns
     */
    public TpcdsQuery totallyOrdered(Connection duckDb) throws SQLException {
        int limit = text.length();
        int order = -1;
        Matcher matcher = ORDER_OR_LIMIT.matcher(text);
        while (matcher.find()) {
            if (depth(matcher.start()) == 0) {
                if (matcher.group().startsWith("ORDER")) {
                    order = matcher.start();
                } else {
                    limit = matcher.start();
                }
            }
        }
        if (order < 0) {
            return this;
        }
        String keys = IntStream.rangeClosed(1, columns(duckDb))
                .mapToObj(position -> ", " + position)
                .collect(Collectors.joining());
        return new TpcdsQuery(text.substring(0, limit).stripTrailing() + keys + "\n" + text.substring(limit));
    }

    /** Returns the number of parentheses that are open at a position. No string literal has one. */
    private int depth(int position) {
        int depth = 0;
        for (int i = 0; i < position; i++) {
            depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
        }
        return depth;
    }

    private int columns(Connection duckDb) throws SQLException {
        int columns = 0;
        try (Statement statement = duckDb.createStatement();
                ResultSet result = statement.executeQuery("DESCRIBE " + forDuckDb())) {
            while (result.next()) {
                columns++;
            }
        }
        return columns;
    }

    /** Returns the query for DuckDB, which takes it as it is. */
    public String forDuckDb() {
        return text;
    }

    /** Returns the query in HiveQL. */
    public String forSkep() {
        return HiveQl.of(text);
    }
}
