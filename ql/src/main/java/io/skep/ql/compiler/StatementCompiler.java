package io.skep.ql.compiler;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.metastore.Table;
import io.skep.ql.AccessRecord;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.SessionAccess;
import io.skep.ql.authorize.StatementAccess;
import io.skep.ql.create.DropTableHandler;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.query.CachedPlanCompiler;
import io.skep.ql.reuse.PlanCacheLookup;
import io.skep.ql.reuse.StatementShape;
import io.skep.ql.session.Session;
import io.skep.ql.session.VariableSubstitution;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementServices;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles the statements of one session. Commands are identified by their first word, all others by the root of their
 * syntax tree.
 */
public final class StatementCompiler {
    private static final Logger LOG = LoggerFactory.getLogger(StatementCompiler.class);

    private final Session session;
    private final StatementServices services;
    private final SessionAccess access;
    private final Commands commands;

    public StatementCompiler(Session session, StatementServices services, SessionAccess access) {
        this.session = session;
        this.services = services;
        this.access = access;
        this.commands = new Commands(session, services.paths(), services.files());
    }

    /** @throws SkepException what is wrong with the statement, with its position */
    public SqlStatement compile(QueryId queryId, String original, AccessRecord record) {
        String text = session.substitution().substitute(original.strip());
        StatementContext context = context(queryId, text, record);
        Optional<SqlStatement> command = commands.compile(text);
        if (command.isPresent()) {
            Commands.needs(text).ifPresent(context.access()::declare);
        }
        return allowed(command.orElseGet(() -> compileSql(text, context)), context);
    }

    /**
     * Compiles a query with a small cached plan. This is fast enough for any thread. Texts with variables, which may
     * grow, are left to {@link #compile}.
     */
    public Optional<SqlStatement> compileWithCachedPlan(QueryId queryId, String original, AccessRecord record) {
        if (original.length() > StatementShape.MAX_LENGTH || VariableSubstitution.mayChange(original)) {
            return Optional.empty();
        }
        String text = original.strip();
        StatementContext context = context(queryId, text, record);
        return CachedPlanCompiler.of(text, context)
                .flatMap(PlanCacheLookup::compileWithSmallPlan)
                .map(statement -> allowed(statement, context));
    }

    /** Whether a text is a query that readers outside of the server can read in parts. One with mistakes counts. */
    boolean isQuery(String original) {
        String text = session.substitution().substitute(original.strip());
        return !commands.isCommand(text) && isReadable(text);
    }

    private boolean isReadable(String text) {
        try {
            return SplitsCall.isReadable(new HiveSqlParser(session.settings().explicit()).parse(text));
        } catch (SkepException e) {
            return true;
        }
    }

    /** Returns the statement if it may run. */
    private static SqlStatement allowed(SqlStatement statement, StatementContext context) {
        try {
            context.access().finish();
        } catch (SkepException e) {
            statement.close();
            throw e;
        }
        return statement;
    }

    private StatementContext context(QueryId queryId, String text, AccessRecord record) {
        return new StatementContext(
                queryId,
                text.length(),
                session,
                services,
                new AtomicInteger(),
                new AtomicInteger(),
                new StatementAccess(access, text, record));
    }

    private SqlStatement compileSql(String text, StatementContext context) {
        Optional<PlanCacheLookup<SqlStatement>> reuse = CachedPlanCompiler.of(text, context);
        Optional<SqlStatement> reused = reuse.flatMap(PlanCacheLookup::compile);
        if (reused.isPresent()) {
            return reused.get();
        }
        SyntaxNode root = new HiveSqlParser(session.settings().explicit()).parse(text);
        StatementKind kind = StatementKinds.of(root, access);
        ReadOnlyObjects.refuse(kind, root, text, context);
        declareNeeds(kind, root, context);
        if (!AnalyzedStatements.includes(root)) {
            context.access().check();
        }
        SqlStatement compiled = kind.handler().compile(root, context);
        reuse.ifPresent(PlanCacheLookup::markNotCacheable);
        return compiled;
    }

    private static void declareNeeds(StatementKind kind, SyntaxNode root, StatementContext context) {
        if (!context.access().isWanted()) {
            return;
        }
        try {
            context.access().declare(kind.needs().of(root, context));
        } catch (SkepException e) {
            if (context.access().isChecked()) {
                throw e;
            }
            // Nothing is checked, so what is wrong with the statement is for the handler to say.
        }
    }

    /** Drops the temporary tables when the session ends. */
    public void dropTemporaryTables() {
        for (Table table : session.temporaryTables().all()) {
            session.temporaryTables().endWrite(table);
            try {
                DropTableHandler.deleteTemporary(table, services);
            } catch (SkepException e) {
                LOG.warn(
                        "{} of temporary table {} stays: {}",
                        table.storage().location(),
                        table.qualifiedName(),
                        e.fullMessage());
            }
            session.temporaryTables().remove(table.database(), table.name());
        }
    }
}
