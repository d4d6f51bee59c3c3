package io.skep.ql.compiler;

import io.skep.common.query.QueryId;
import io.skep.engine.function.FunctionCatalog;
import io.skep.metastore.Table;
import io.skep.ql.AccessRecord;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.PathPrivileges;
import io.skep.ql.authorize.PluginAuthorizer;
import io.skep.ql.authorize.SessionAccess;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.external.ExternalQuery;
import io.skep.ql.session.Session;
import io.skep.ql.statement.StatementServices;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A session together with its compiler. */
final class HiveSqlSession implements SqlSession {
    private final Session session;
    private final StatementServices services;
    private final SessionAccess access;
    private final StatementCompiler compiler;

    HiveSqlSession(
            Session session,
            StatementServices services,
            Optional<PluginAuthorizer> plugin,
            PathPrivileges paths,
            SessionFiles files) {
        this.session = session;
        this.services = services;
        this.access = new SessionAccess(services.privileges(), session, plugin, paths, files);
        this.compiler = new StatementCompiler(session, services, access);
    }

    @Override
    public String user() {
        return session.user();
    }

    @Override
    public String currentDatabase() {
        return session.currentDatabase();
    }

    @Override
    public void useDatabase(String name) {
        session.useDatabase(name);
    }

    @Override
    public Map<String, String> settings() {
        return session.settings().explicit();
    }

    @Override
    public Optional<String> setting(String name) {
        return session.settings().get(name);
    }

    @Override
    public FunctionCatalog functions() {
        return session.userFunctions().catalog();
    }

    @Override
    public Predicate<Table> visibleTables() {
        return access.visibleTables();
    }

    @Override
    public Predicate<String> visibleDatabases() {
        return access.visibleDatabases(services.catalog());
    }

    @Override
    public SqlStatement compile(QueryId queryId, String text, AccessRecord access) {
        return compiler.compile(queryId, text, access);
    }

    @Override
    public Optional<SqlStatement> compileWithCachedPlan(QueryId queryId, String text, AccessRecord access) {
        return compiler.compileWithCachedPlan(queryId, text, access);
    }

    @Override
    public boolean isQuery(String text) {
        return compiler.isQuery(text);
    }

    @Override
    public ExternalQuery.Statement external(String text) {
        return GetSplitsHandler.statement(session, text);
    }

    @Override
    public void close() {
        compiler.dropTemporaryTables();
        session.close();
    }
}
