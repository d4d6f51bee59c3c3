package io.skep.itests.random;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connection that caches its last results, because several oracles request the same one. */
final class Engine {
    private static final int REMEMBERED = 8;

    private final Connection connection;
    private final Map<String, Rows> last = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Rows> eldest) {
            return size() > REMEMBERED;
        }
    };

    Engine(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    Rows ask(String sql) throws SQLException {
        Rows known = last.get(sql);
        if (known == null) {
            known = Rows.ask(connection, sql);
            last.put(sql, known);
        }
        return known;
    }
}
