package io.skep.ql.statement;

import io.skep.common.vector.Datum;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.plan.ScriptFile;
import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.authorize.SessionAccess;
import io.skep.ql.authorize.StatementAccess;
import io.skep.ql.handler.VersionedTables;
import io.skep.ql.optimize.ConstantReducer;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.policy.PolicySource;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.session.Session;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.calcite.rex.RexNode;

/** A session and the catalog as the analyzer sees them, during one statement. */
public final class SessionAnalysisContext implements AnalysisContext {
    private final Session session;
    private final Catalog catalog;
    private final FunctionCatalog functions;
    private final Map<String, String> settings;
    private final Instant queryStart;
    private final Optional<StatementAccess> access;
    private final SessionAccess sessionAccess;
    private final PolicySource policies;
    private final Supplier<AnalysisContext> forPolicies;

    public SessionAnalysisContext(StatementContext context) {
        this(
                context,
                Optional.of(context.access()).filter(StatementAccess::isWanted),
                context.access().policies());
    }

    /**
     * Returns the context for a text that the server writes for its own use. What it reads is not the user's concern;
     * the statement has declared what it needs. Policies do not hold for it.
     */
    public static SessionAnalysisContext ofServer(StatementContext context) {
        return new SessionAnalysisContext(context, Optional.empty(), PolicySource.NONE);
    }

    /** Returns the context for a text that shows what the user sees. It needs no privilege, since it does not run. */
    public static SessionAnalysisContext ofView(StatementContext context) {
        return new SessionAnalysisContext(
                context, Optional.empty(), context.access().policies());
    }

    private SessionAnalysisContext(StatementContext context, Optional<StatementAccess> access, PolicySource policies) {
        this.access = access;
        this.sessionAccess = context.access().ofSession();
        this.policies = policies;
        this.forPolicies = () -> new PolicyAnalysisContext(this, context);
        this.session = context.session();
        this.catalog = context.catalog();
        this.functions = session.userFunctions().catalog();
        this.settings = session.settings().explicit();
        this.queryStart = context.services().clock().instant();
    }

    @Override
    public FunctionCatalog functions() {
        return functions;
    }

    @Override
    public String currentDatabase() {
        return session.currentDatabase();
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public String user() {
        return session.user();
    }

    @Override
    public boolean isMember(String role) {
        return sessionAccess.isMember(role);
    }

    @Override
    public TablePolicies policies(Table table) {
        return policies.of(table);
    }

    @Override
    public boolean policiesDependOnUser() {
        return sessionAccess.plugin().isPresent();
    }

    @Override
    public AnalysisContext forPolicies() {
        return forPolicies.get();
    }

    @Override
    public Instant queryStart() {
        return queryStart;
    }

    @Override
    public ZoneId timeZone() {
        return session.settings().timeZone();
    }

    @Override
    public Optional<Table> table(String database, String name) {
        return session.table(database, name).map(VersionedTables::refuse).map(TableLayouts::queried);
    }

    @Override
    public List<String> tableNames(String database) {
        return databaseExists(database) ? catalog.tables(database) : List.of();
    }

    @Override
    public boolean databaseExists(String database) {
        return catalog.database(database).isPresent();
    }

    @Override
    public Optional<Datum> evaluate(RexNode constant, HiveRexBuilder rexBuilder) {
        return new ConstantReducer(
                        new ExpressionCompiler(session.userFunctions().registry()))
                .evaluate(constant, rexBuilder);
    }

    @Override
    public List<ScriptFile> scriptFiles() {
        session.settings().rules().checkScripts();
        return session.files().ofScripts();
    }

    @Override
    public boolean wantsReads() {
        return access.isPresent();
    }

    @Override
    public void recordReads(List<ColumnRead> found) {
        access.ifPresent(checked -> checked.addReads(found));
    }

    @Override
    public Optional<Macro> macro(String name) {
        return Optional.ofNullable(session.macros().get(name));
    }
}
