package io.skep.ql.compiler;

import static java.util.Map.entry;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.alter.AlterDatabaseHandler;
import io.skep.ql.alter.AlterTableHandler;
import io.skep.ql.alter.AnalyzeHandler;
import io.skep.ql.alter.LockHandler;
import io.skep.ql.alter.RepairTableHandler;
import io.skep.ql.alter.TruncateTableHandler;
import io.skep.ql.create.CreateDatabaseHandler;
import io.skep.ql.create.CreateTableHandler;
import io.skep.ql.create.CreateViewHandler;
import io.skep.ql.create.DropDatabaseHandler;
import io.skep.ql.create.DropTableHandler;
import io.skep.ql.create.FunctionHandler;
import io.skep.ql.create.MacroHandler;
import io.skep.ql.insert.LoadHandler;
import io.skep.ql.insert.QueryHandler;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.query.CachedPlanCompiler;
import io.skep.ql.reuse.PlanCacheLookup;
import io.skep.ql.reuse.StatementShape;
import io.skep.ql.session.Session;
import io.skep.ql.session.VariableSubstitution;
import io.skep.ql.show.DescribeDatabaseHandler;
import io.skep.ql.show.DescribeFunctionHandler;
import io.skep.ql.show.DescribeTableHandler;
import io.skep.ql.show.ShowColumnsHandler;
import io.skep.ql.show.ShowCreateTableHandler;
import io.skep.ql.show.ShowDatabasesHandler;
import io.skep.ql.show.ShowFunctionsHandler;
import io.skep.ql.show.ShowPartitionsHandler;
import io.skep.ql.show.ShowPropertiesHandler;
import io.skep.ql.show.ShowTableExtendedHandler;
import io.skep.ql.show.ShowTablesHandler;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.StatementServices;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles the statements of one session. Commands are identified by their first word, all others by the root of their
 * syntax tree.
 */
public final class StatementCompiler {
    private static final Logger LOG = LoggerFactory.getLogger(StatementCompiler.class);

    private static final Map<Integer, StatementHandler> HANDLERS = Map.ofEntries(
            entry(HiveParser.TOK_QUERY, new QueryHandler()),
            entry(HiveParser.TOK_LOAD, new LoadHandler()),
            entry(HiveParser.TOK_ANALYZE, new AnalyzeHandler()),
            entry(HiveParser.TOK_CREATEFUNCTION, new FunctionHandler()),
            entry(HiveParser.TOK_DROPFUNCTION, new FunctionHandler()),
            entry(HiveParser.TOK_RELOADFUNCTIONS, new FunctionHandler()),
            entry(HiveParser.TOK_CREATEMACRO, new MacroHandler()),
            entry(HiveParser.TOK_DROPMACRO, new MacroHandler()),
            entry(HiveParser.TOK_MSCK, new RepairTableHandler()),
            entry(HiveParser.TOK_CREATEVIEW, new CreateViewHandler()),
            entry(HiveParser.TOK_ALTERTABLE, new AlterTableHandler()),
            entry(HiveParser.TOK_ALTERVIEW, new AlterTableHandler()),
            entry(HiveParser.TOK_TRUNCATETABLE, new TruncateTableHandler()),
            entry(HiveParser.TOK_ALTERDATABASE_PROPERTIES, new AlterDatabaseHandler()),
            entry(HiveParser.TOK_ALTERDATABASE_OWNER, new AlterDatabaseHandler()),
            entry(HiveParser.TOK_ALTERDATABASE_LOCATION, new AlterDatabaseHandler()),
            entry(HiveParser.TOK_ALTERDATABASE_MANAGEDLOCATION, new AlterDatabaseHandler()),
            entry(HiveParser.TOK_DESCTABLE, new DescribeTableHandler()),
            entry(HiveParser.TOK_DESCDATABASE, new DescribeDatabaseHandler()),
            entry(HiveParser.TOK_DESCFUNCTION, new DescribeFunctionHandler()),
            entry(HiveParser.TOK_SHOWPARTITIONS, new ShowPartitionsHandler()),
            entry(HiveParser.TOK_SHOWCOLUMNS, new ShowColumnsHandler()),
            entry(HiveParser.TOK_SHOW_TBLPROPERTIES, new ShowPropertiesHandler()),
            entry(HiveParser.TOK_SHOWFUNCTIONS, new ShowFunctionsHandler()),
            entry(HiveParser.TOK_SHOW_TABLESTATUS, new ShowTableExtendedHandler()),
            entry(HiveParser.TOK_SHOW_CREATETABLE, new ShowCreateTableHandler()),
            entry(HiveParser.TOK_SHOW_CREATEDATABASE, new ShowCreateTableHandler()),
            entry(HiveParser.TOK_SHOWMATERIALIZEDVIEWS, new ShowTablesHandler()),
            entry(HiveParser.TOK_LOCKTABLE, new LockHandler()),
            entry(HiveParser.TOK_UNLOCKTABLE, new LockHandler()),
            entry(HiveParser.TOK_LOCKDB, new LockHandler()),
            entry(HiveParser.TOK_UNLOCKDB, new LockHandler()),
            entry(HiveParser.TOK_SHOWLOCKS, new LockHandler()),
            entry(HiveParser.TOK_SHOWDBLOCKS, new LockHandler()),
            entry(HiveParser.TOK_EXPLAIN, new ExplainHandler()),
            entry(HiveParser.TOK_CREATEDATABASE, new CreateDatabaseHandler()),
            entry(HiveParser.TOK_DROPDATABASE, new DropDatabaseHandler()),
            entry(HiveParser.TOK_SWITCHDATABASE, new UseDatabaseHandler()),
            entry(HiveParser.TOK_SHOWDATABASES, new ShowDatabasesHandler()),
            entry(HiveParser.TOK_SHOWTABLES, new ShowTablesHandler()),
            entry(HiveParser.TOK_SHOWVIEWS, new ShowTablesHandler()),
            entry(HiveParser.TOK_CREATETABLE, new CreateTableHandler()),
            entry(HiveParser.TOK_DROPTABLE, new DropTableHandler()),
            entry(HiveParser.TOK_DROPVIEW, new DropTableHandler()));

    private final Session session;
    private final StatementServices services;
    private final Commands commands;

    public StatementCompiler(Session session, StatementServices services) {
        this.session = session;
        this.services = services;
        this.commands = new Commands(session, services.paths());
    }

    /** @throws SkepException what is wrong with the statement, with its position */
    public SqlStatement compile(QueryId queryId, String original) {
        String text = session.substitution().substitute(original.strip());
        return commands.compile(text).orElseGet(() -> compileSql(text, context(queryId, text)));
    }

    /**
     * Compiles a query with a small cached plan. This is fast enough for any thread. Texts with variables, which may
     * grow, are left to {@link #compile}.
     */
    public Optional<SqlStatement> compileWithCachedPlan(QueryId queryId, String original) {
        if (original.length() > StatementShape.MAX_LENGTH || VariableSubstitution.mayChange(original)) {
            return Optional.empty();
        }
        String text = original.strip();
        return CachedPlanCompiler.of(text, context(queryId, text)).flatMap(PlanCacheLookup::compileWithSmallPlan);
    }

    private StatementContext context(QueryId queryId, String text) {
        return new StatementContext(
                queryId, text.length(), session, services, new AtomicInteger(), new AtomicInteger());
    }

    private SqlStatement compileSql(String text, StatementContext context) {
        Optional<PlanCacheLookup<SqlStatement>> reuse = CachedPlanCompiler.of(text, context);
        Optional<SqlStatement> reused = reuse.flatMap(PlanCacheLookup::compile);
        if (reused.isPresent()) {
            return reused.get();
        }
        SyntaxNode root = new HiveSqlParser(session.settings().explicit()).parse(text);
        SqlStatement compiled = handler(root).compile(root, context);
        reuse.ifPresent(PlanCacheLookup::markNotCacheable);
        return compiled;
    }

    /** @throws SkepException NOT_SUPPORTED, with the kind of statement */
    static StatementHandler handler(SyntaxNode root) {
        StatementHandler handler = HANDLERS.get(root.type());
        if (handler == null) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "statements of this kind are not supported yet (" + root.text() + ")")
                    .at(root.position());
        }
        return handler;
    }

    /** Drops the temporary tables when the session ends. */
    public void dropTemporaryTables() {
        for (Table table : session.temporaryTables().all()) {
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
