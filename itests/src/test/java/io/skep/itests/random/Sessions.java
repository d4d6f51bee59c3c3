package io.skep.itests.random;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.sql.ExecutionMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;

/** A session for each mode of execution, all in one database. */
record Sessions(Map<ExecutionMode, Engine> engines) implements AutoCloseable {
    static Sessions open(ReleasedClient client, String url, String database) throws SQLException {
        Sessions sessions = new Sessions(new EnumMap<>(ExecutionMode.class));
        for (ExecutionMode mode : ExecutionMode.EVERYWHERE) {
            Connection connection = client.connect(url);
            sessions.engines.put(mode, new Engine(connection));
            try (Statement statement = connection.createStatement()) {
                statement.execute("USE " + database);
                statement.execute("SET hive.strict.checks.type.safety=false");
                for (String setting : mode.settings()) {
                    statement.execute("SET " + setting);
                }
            }
        }
        return sessions;
    }

    Engine in(ExecutionMode mode) {
        Engine engine = engines.get(mode);
        if (engine == null) {
            throw new IllegalArgumentException("no session of " + mode);
        }
        return engine;
    }

    @Override
    public void close() throws SQLException {
        for (Engine engine : engines.values()) {
            engine.connection().close();
        }
    }
}
