package io.skep.ql;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.engine.function.FunctionCatalog;
import io.skep.metastore.Table;
import io.skep.ql.external.ExternalQuery;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A user's session: current database, settings, variables, temporary tables and functions. It runs one statement at a
 * time.
 */
public interface SqlSession extends AutoCloseable {
    String user();

    String currentDatabase();

    void useDatabase(String name);

    /** Returns the effective settings. */
    Map<String, String> settings();

    /**
     * Returns the effective value of a setting: the session's value, the server's value, or the initial value of a
     * known setting.
     */
    Optional<String> setting(String name);

    FunctionCatalog functions();

    /**
     * Returns which tables and views metadata calls show to the user: all of them while authorization is off. The
     * answer holds for the roles and grants at the time of the call.
     */
    Predicate<Table> visibleTables();

    /** Returns which databases they show: all, unless the authorizer of the site hides some. */
    Predicate<String> visibleDatabases();

    /**
     * Parses and plans one statement, without any effect yet.
     *
     * @throws SkepException the error in the statement, with its position
     */
    default SqlStatement compile(QueryId queryId, String text) {
        return compile(queryId, text, new AccessRecord());
    }

    /**
     * Compiles a statement as above.
     *
     * @param access takes what the statement needs, also when it fails; complete when the statement is returned
     */
    SqlStatement compile(QueryId queryId, String text, AccessRecord access);

    /**
     * Compiles a query as above, if a small plan from a similar query is cached. The remaining work takes a fraction of
     * a millisecond and little stack. Empty for all other statements.
     */
    Optional<SqlStatement> compileWithCachedPlan(QueryId queryId, String text, AccessRecord access);

    /**
     * Whether a text is a query that readers outside of the server can read in parts: one whose rows go to the client.
     * Only parses the text; one with mistakes counts as a query.
     */
    boolean isQuery(String text);

    /** Returns a text with what another session of the user needs to run it. */
    ExternalQuery.Statement external(String text);

    @Override
    void close();
}
