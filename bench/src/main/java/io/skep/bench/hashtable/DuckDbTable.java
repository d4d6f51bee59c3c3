package io.skep.bench.hashtable;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB with one thread, over the same rows in its own tables. Only the whole query can be timed. */
final class DuckDbTable implements Contender {
    private static final String JOIN = "select sum(b.v) from p join b on p.k = b.k";
    private static final String AGGREGATION = "select sum(s) from"
            + " (select k, sum(v) as s from (select * from b union all select * from p) group by k)";

    private final Connection connection;
    private final String query;

    DuckDbTable(Keys keys, boolean join) {
        query = join ? JOIN : AGGREGATION;
        try {
            connection = DriverManager.getConnection("jdbc:duckdb:");
            try (Statement statement = connection.createStatement()) {
                statement.execute("set threads = 1");
                statement.execute("create table b as " + keys.buildSql());
                statement.execute("create table p as " + keys.probeSql());
            }
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB: " + e.getMessage(), e);
        }
    }

    @Override
    public void build() {}

    @Override
    public long probe() {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getBigDecimal(1).longValueExact();
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB: " + e.getMessage(), e);
        }
    }

    @Override
    public long overheadBytes() {
        return 0;
    }

    @Override
    public boolean whole() {
        return true;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB: " + e.getMessage(), e);
        }
    }
}
