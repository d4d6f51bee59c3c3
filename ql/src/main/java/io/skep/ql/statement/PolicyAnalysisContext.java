package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.plan.ScriptFile;
import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.rel.HiveRexBuilder;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rex.RexNode;

/**
 * A session as the texts of policies see it: its user, time and time zone. Settings have their defaults; temporary
 * tables, temporary functions and macros, which could take the place of others, do not exist.
 */
final class PolicyAnalysisContext implements AnalysisContext {
    private final SessionAnalysisContext session;
    private final Catalog catalog;
    private final FunctionCatalog functions;

    PolicyAnalysisContext(SessionAnalysisContext session, StatementContext context) {
        this.session = session;
        this.catalog = context.services().catalog();
        this.functions = context.session().userFunctions().permanent();
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
        return Map.of();
    }

    @Override
    public String user() {
        return session.user();
    }

    @Override
    public boolean isMember(String role) {
        return session.isMember(role);
    }

    @Override
    public TablePolicies policies(Table table) {
        return session.policies(table);
    }

    @Override
    public boolean policiesDependOnUser() {
        return session.policiesDependOnUser();
    }

    @Override
    public AnalysisContext forPolicies() {
        return this;
    }

    @Override
    public Instant queryStart() {
        return session.queryStart();
    }

    @Override
    public List<ScriptFile> scriptFiles() {
        throw new SkepException(StandardErrorCode.ACCESS_DENIED, "row filters and masks may not run scripts");
    }

    @Override
    public ZoneId timeZone() {
        return session.timeZone();
    }

    @Override
    public Optional<Table> table(String database, String name) {
        return catalog.table(database, name);
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
    public Optional<Macro> macro(String name) {
        return Optional.empty();
    }

    @Override
    public Optional<Datum> evaluate(RexNode constant, HiveRexBuilder rexBuilder) {
        return session.evaluate(constant, rexBuilder);
    }

    /** What policies read is not the user's concern. */
    @Override
    public boolean wantsReads() {
        return false;
    }

    @Override
    public void recordReads(List<ColumnRead> reads) {}
}
