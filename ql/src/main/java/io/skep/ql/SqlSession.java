package io.skep.ql;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.engine.function.FunctionCatalog;
import java.util.Map;
import java.util.Optional;

/** A user's session: current database, settings, variables, temporary tables and functions. Statements one at a time. */
public interface SqlSession extends AutoCloseable {
    String user();

    String currentDatabase();

    void useDatabase(String name);

    /** Effective settings. */
    Map<String, String> settings();

    /** The value in force of one setting: the session's, the server's, or the initial one of a setting that is known. */
    Optional<String> setting(String name);

    FunctionCatalog functions();

    /**
     * Parses and plans one statement; nothing of it has happened yet.
     *
     * @throws SkepException what is wrong with the statement, with its position
     */
    SqlStatement compile(QueryId queryId, String text);

    /**
     * The same for a query that has a plan already, made for its like, which is small: what is left to do takes a fraction of a
     * millisecond and little stack. Empty for all others.
     */
    Optional<SqlStatement> compileByKeptPlan(QueryId queryId, String text);

    @Override
    void close();
}
