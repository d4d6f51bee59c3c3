package io.skep.ql.external;

import io.skep.common.query.QueryId;
import io.skep.common.type.SqlType;
import io.skep.engine.schedule.StageGraphRun;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query that has been checked for its user and compiled, for readers outside of the server.
 *
 * @param names of its columns
 * @param types of its columns
 * @param scan its only fragment with the splits, if any part of them can be read by itself
 * @param repeatable whether each run of a part of the scan returns the same rows in the same order
 * @param statement the same query as a text, for the server to run
 */
public record ExternalQuery(
        QueryId id,
        String user,
        List<String> names,
        List<SqlType> types,
        Optional<StageGraphRun> scan,
        boolean repeatable,
        Statement statement) {
    /**
     * A text and the session that it is meant for.
     *
     * @param database the current database
     * @param settings settings that the session has set
     * @param whole whether another session of the user with these settings finds the same objects
     */
    public record Statement(String text, String database, Map<String, String> settings, boolean whole) {
        public Statement {
            settings = Map.copyOf(settings);
        }
    }

    public ExternalQuery {
        names = List.copyOf(names);
        types = List.copyOf(types);
    }
}
