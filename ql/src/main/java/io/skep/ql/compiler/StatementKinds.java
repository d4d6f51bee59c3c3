package io.skep.ql.compiler;

import static java.util.Map.entry;

import com.google.common.collect.Sets;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlStatement;
import io.skep.ql.alter.AbortCompactionsHandler;
import io.skep.ql.alter.AbortTransactionsHandler;
import io.skep.ql.alter.AlterConnectorHandler;
import io.skep.ql.alter.AlterDatabaseHandler;
import io.skep.ql.alter.AlterMaterializedViewHandler;
import io.skep.ql.alter.AlterTableHandler;
import io.skep.ql.alter.AnalyzeHandler;
import io.skep.ql.alter.CacheMetadataHandler;
import io.skep.ql.alter.KillQueryHandler;
import io.skep.ql.alter.LockHandler;
import io.skep.ql.alter.RepairTableHandler;
import io.skep.ql.alter.TransactionControlHandler;
import io.skep.ql.alter.TruncateTableHandler;
import io.skep.ql.authorize.SessionAccess;
import io.skep.ql.create.CreateConnectorHandler;
import io.skep.ql.create.CreateDatabaseHandler;
import io.skep.ql.create.CreateMaterializedViewHandler;
import io.skep.ql.create.CreateTableHandler;
import io.skep.ql.create.CreateViewHandler;
import io.skep.ql.create.DropConnectorHandler;
import io.skep.ql.create.DropDatabaseHandler;
import io.skep.ql.create.DropTableHandler;
import io.skep.ql.create.FunctionHandler;
import io.skep.ql.create.MacroHandler;
import io.skep.ql.export.ExportHandler;
import io.skep.ql.export.ImportHandler;
import io.skep.ql.grant.CurrentRoleHandler;
import io.skep.ql.grant.GrantHandler;
import io.skep.ql.grant.PluginGrantHandler;
import io.skep.ql.grant.RoleHandler;
import io.skep.ql.grant.RoleMembershipHandler;
import io.skep.ql.grant.ShowGrantHandler;
import io.skep.ql.grant.ShowRolesHandler;
import io.skep.ql.insert.ChangeHandler;
import io.skep.ql.insert.LoadHandler;
import io.skep.ql.insert.MergeHandler;
import io.skep.ql.insert.QueryHandler;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.schedule.AlterScheduledQueryHandler;
import io.skep.ql.schedule.CreateScheduledQueryHandler;
import io.skep.ql.schedule.DropScheduledQueryHandler;
import io.skep.ql.show.DescribeConnectorHandler;
import io.skep.ql.show.DescribeDatabaseHandler;
import io.skep.ql.show.DescribeFunctionHandler;
import io.skep.ql.show.DescribeTableHandler;
import io.skep.ql.show.ShowColumnsHandler;
import io.skep.ql.show.ShowCompactionsHandler;
import io.skep.ql.show.ShowConfHandler;
import io.skep.ql.show.ShowConnectorsHandler;
import io.skep.ql.show.ShowCreateTableHandler;
import io.skep.ql.show.ShowDatabasesHandler;
import io.skep.ql.show.ShowFunctionsHandler;
import io.skep.ql.show.ShowLocksHandler;
import io.skep.ql.show.ShowPartitionsHandler;
import io.skep.ql.show.ShowPropertiesHandler;
import io.skep.ql.show.ShowTableExtendedHandler;
import io.skep.ql.show.ShowTablesHandler;
import io.skep.ql.show.ShowTransactionsHandler;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * All kinds of statements by the root of their syntax trees, each with its handler and what it needs. Statements about
 * roles and grants need nothing here: their handlers, or an authorizer of the site, say who may grant and see what,
 * also while authorization is off.
 */
final class StatementKinds {
    private static final Map<Integer, StatementKind> KINDS = Map.ofEntries(
            kind(HiveParser.TOK_QUERY, new QueryHandler(), QueryAccess::query),
            kind(HiveParser.TOK_UPDATE_TABLE, new ChangeHandler(), QueryAccess::update),
            kind(HiveParser.TOK_DELETE_FROM, new DeleteHandler(), QueryAccess::delete),
            kind(HiveParser.TOK_MERGE, new MergeHandler(), QueryAccess::merge),
            kind(HiveParser.TOK_LOAD, new LoadHandler(), QueryAccess::load),
            kind(HiveParser.TOK_EXPORT, new ExportHandler(), QueryAccess::export),
            kind(HiveParser.TOK_IMPORT, new ImportHandler(), QueryAccess::imported),
            kind(HiveParser.TOK_ANALYZE, new AnalyzeHandler(), QueryAccess::analyze),
            kind(HiveParser.TOK_CACHE_METADATA, new CacheMetadataHandler(), TableAccess::cached),
            kind(HiveParser.TOK_CREATEFUNCTION, new FunctionHandler(), DefinitionAccess.function("CREATEFUNCTION")),
            kind(HiveParser.TOK_DROPFUNCTION, new FunctionHandler(), DefinitionAccess.function("DROPFUNCTION")),
            kind(HiveParser.TOK_RELOADFUNCTIONS, new FunctionHandler(), AccessRule.unasked("RELOADFUNCTION")),
            kind(HiveParser.TOK_CREATEMACRO, new MacroHandler(), DefinitionAccess.macro("CREATEMACRO")),
            kind(HiveParser.TOK_DROPMACRO, new MacroHandler(), DefinitionAccess.macro("DROPMACRO")),
            kind(HiveParser.TOK_MSCK, new RepairTableHandler(), TableAccess::repair),
            kind(HiveParser.TOK_CREATEVIEW, new CreateViewHandler(), DefinitionAccess::createView),
            kind(
                    HiveParser.TOK_CREATE_MATERIALIZED_VIEW,
                    new CreateMaterializedViewHandler(),
                    DefinitionAccess::createMaterializedView),
            kind(
                    HiveParser.TOK_ALTER_MATERIALIZED_VIEW_REBUILD,
                    new AlterMaterializedViewHandler(),
                    DefinitionAccess::rebuildView),
            kind(
                    HiveParser.TOK_ALTER_MATERIALIZED_VIEW_REWRITE,
                    new AlterMaterializedViewHandler(),
                    DefinitionAccess.ofView("ALTER_MATERIALIZED_VIEW_REWRITE")),
            kind(
                    HiveParser.TOK_DROP_MATERIALIZED_VIEW,
                    new DropTableHandler(),
                    DefinitionAccess.ofView("DROP_MATERIALIZED_VIEW")),
            kind(HiveParser.TOK_ALTERTABLE, new AlterTableHandler(), AlterAccess::alter),
            kind(HiveParser.TOK_ALTERVIEW, new AlterTableHandler(), AlterAccess::alter),
            kind(HiveParser.TOK_TRUNCATETABLE, new TruncateTableHandler(), TableAccess::truncate),
            kind(
                    HiveParser.TOK_ALTERDATABASE_PROPERTIES,
                    new AlterDatabaseHandler(),
                    DefinitionAccess.alterDatabase("ALTERDATABASE")),
            kind(
                    HiveParser.TOK_ALTERDATABASE_OWNER,
                    new AlterDatabaseHandler(),
                    DefinitionAccess.alterDatabase("ALTERDATABASE_OWNER")),
            kind(HiveParser.TOK_ALTERDATABASE_LOCATION, new AlterDatabaseHandler(), DefinitionAccess::databaseLocation),
            kind(
                    HiveParser.TOK_ALTERDATABASE_MANAGEDLOCATION,
                    new AlterDatabaseHandler(),
                    DefinitionAccess::databaseLocation),
            kind(HiveParser.TOK_DESCTABLE, new DescribeTableHandler(), TableAccess::describe),
            kind(HiveParser.TOK_DESCDATABASE, new DescribeDatabaseHandler(), TableAccess.database("DESCDATABASE")),
            kind(HiveParser.TOK_DESCFUNCTION, new DescribeFunctionHandler(), AccessRule.open("DESCFUNCTION")),
            kind(HiveParser.TOK_SHOWPARTITIONS, new ShowPartitionsHandler(), TableAccess::partitions),
            kind(HiveParser.TOK_SHOWCOLUMNS, new ShowColumnsHandler(), TableAccess::columns),
            kind(HiveParser.TOK_SHOW_TBLPROPERTIES, new ShowPropertiesHandler(), TableAccess::properties),
            kind(HiveParser.TOK_SHOWFUNCTIONS, new ShowFunctionsHandler(), AccessRule.open("SHOWFUNCTIONS")),
            kind(HiveParser.TOK_SHOW_TABLESTATUS, new ShowTableExtendedHandler(), AccessRule.open("SHOW_TABLESTATUS")),
            kind(HiveParser.TOK_SHOW_CREATETABLE, new ShowCreateTableHandler(), TableAccess::createdTable),
            kind(HiveParser.TOK_SHOW_CREATEDATABASE, new ShowCreateTableHandler(), TableAccess::createdDatabase),
            kind(
                    HiveParser.TOK_SHOWMATERIALIZEDVIEWS,
                    new ShowTablesHandler(),
                    AccessRule.open("SHOWMATERIALIZEDVIEWS")),
            kind(HiveParser.TOK_LOCKTABLE, new LockHandler(), AccessRule.open("LOCKTABLE")),
            kind(HiveParser.TOK_UNLOCKTABLE, new LockHandler(), AccessRule.open("UNLOCKTABLE")),
            kind(HiveParser.TOK_LOCKDB, new LockHandler(), AccessRule.open("LOCKDB")),
            kind(HiveParser.TOK_UNLOCKDB, new LockHandler(), AccessRule.open("UNLOCKDB")),
            kind(
                    HiveParser.TOK_START_TRANSACTION,
                    new TransactionControlHandler(),
                    AccessRule.open("START_TRANSACTION")),
            kind(HiveParser.TOK_COMMIT, new TransactionControlHandler(), AccessRule.open("COMMIT")),
            kind(HiveParser.TOK_ROLLBACK, new TransactionControlHandler(), AccessRule.open("ROLLBACK")),
            kind(HiveParser.TOK_SET_AUTOCOMMIT, new TransactionControlHandler(), AccessRule.open("SET_AUTOCOMMIT")),
            kind(HiveParser.TOK_SHOWCONF, new ShowConfHandler(), AccessRule.open("SHOWCONF")),
            kind(HiveParser.TOK_SHOWLOCKS, new ShowLocksHandler(), AccessRule.open("SHOWLOCKS")),
            kind(HiveParser.TOK_SHOWDBLOCKS, new ShowLocksHandler(), AccessRule.open("SHOWLOCKS")),
            kind(HiveParser.TOK_SHOW_TRANSACTIONS, new ShowTransactionsHandler(), AccessRule.open("SHOW_TRANSACTIONS")),
            kind(HiveParser.TOK_SHOW_COMPACTIONS, new ShowCompactionsHandler(), AccessRule.open("SHOW_COMPACTIONS")),
            kind(HiveParser.TOK_ABORT_COMPACTIONS, new AbortCompactionsHandler(), AccessRule.open("ABORT_COMPACTION")),
            kind(
                    HiveParser.TOK_ABORT_TRANSACTIONS,
                    new AbortTransactionsHandler(),
                    AccessRule.open("ABORT_TRANSACTIONS")),
            kind(HiveParser.TOK_KILL_QUERY, new KillQueryHandler(), AccessRule.open("KILL_QUERY")),
            kind(
                    HiveParser.TOK_CREATE_SCHEDULED_QUERY,
                    new CreateScheduledQueryHandler(StatementKinds::compile),
                    ScheduleAccess.of("CREATE_SCHEDULED_QUERY")),
            kind(
                    HiveParser.TOK_ALTER_SCHEDULED_QUERY,
                    new AlterScheduledQueryHandler(StatementKinds::compile),
                    ScheduleAccess.of("ALTER_SCHEDULED_QUERY")),
            kind(
                    HiveParser.TOK_DROP_SCHEDULED_QUERY,
                    new DropScheduledQueryHandler(),
                    ScheduleAccess.of("DROP_SCHEDULED_QUERY")),
            kind(HiveParser.TOK_EXPLAIN, new ExplainHandler(), QueryAccess::explained),
            kind(HiveParser.TOK_EXPLAIN_SQ_REWRITE, new ExplainRewriteHandler(), QueryAccess::explained),
            kind(
                    HiveParser.TOK_PREPARE,
                    PreparedQueries::prepare,
                    (statement, context) -> QueryAccess.query(statement.child(0), context)),
            kind(HiveParser.TOK_EXECUTE, PreparedQueries::execute, PreparedQueries::needs),
            kind(
                    HiveParser.TOK_CREATEDATACONNECTOR,
                    new CreateConnectorHandler(),
                    ConnectorAccess.change("CREATEDATACONNECTOR")),
            kind(
                    HiveParser.TOK_DROPDATACONNECTOR,
                    new DropConnectorHandler(),
                    ConnectorAccess.change("DROPDATACONNECTOR")),
            kind(
                    HiveParser.TOK_ALTERDATACONNECTOR_PROPERTIES,
                    new AlterConnectorHandler(),
                    ConnectorAccess.change("ALTERDATACONNECTOR")),
            kind(
                    HiveParser.TOK_ALTERDATACONNECTOR_OWNER,
                    new AlterConnectorHandler(),
                    ConnectorAccess.change("ALTERDATACONNECTOR_OWNER")),
            kind(
                    HiveParser.TOK_ALTERDATACONNECTOR_URL,
                    new AlterConnectorHandler(),
                    ConnectorAccess.change("ALTERDATACONNECTOR_URL")),
            kind(HiveParser.TOK_DESCDATACONNECTOR, new DescribeConnectorHandler(), ConnectorAccess::described),
            kind(HiveParser.TOK_SHOWDATACONNECTORS, new ShowConnectorsHandler(), AccessRule.open("SHOWDATACONNECTORS")),
            kind(HiveParser.TOK_CREATEDATABASE, new CreateDatabaseHandler(), DefinitionAccess::createDatabase),
            kind(HiveParser.TOK_DROPDATABASE, new DropDatabaseHandler(), DefinitionAccess::dropDatabase),
            kind(HiveParser.TOK_SWITCHDATABASE, new UseDatabaseHandler(), TableAccess.database("SWITCHDATABASE")),
            kind(HiveParser.TOK_SHOWDATABASES, new ShowDatabasesHandler(), AccessRule.open("SHOWDATABASES")),
            kind(HiveParser.TOK_SHOWTABLES, new ShowTablesHandler(), TableAccess::tables),
            kind(HiveParser.TOK_SHOWVIEWS, new ShowTablesHandler(), AccessRule.open("SHOWVIEWS")),
            kind(HiveParser.TOK_CREATETABLE, new CreateTableHandler(), DefinitionAccess::createTable),
            kind(HiveParser.TOK_DROPTABLE, new DropTableHandler(), DefinitionAccess::dropTable),
            kind(HiveParser.TOK_DROPVIEW, new DropTableHandler(), DefinitionAccess.ofView("DROPVIEW")));

    /** Statements about roles and grants, which call their own method of an authorizer of the site. */
    private static final Map<Integer, RoleKind> ROLE_KINDS = Map.ofEntries(
            entry(HiveParser.TOK_CREATEROLE, new RoleKind(new RoleHandler(), "CREATEROLE")),
            entry(HiveParser.TOK_DROPROLE, new RoleKind(new RoleHandler(), "DROPROLE")),
            entry(HiveParser.TOK_GRANT_ROLE, new RoleKind(new RoleMembershipHandler(), "GRANT_ROLE")),
            entry(HiveParser.TOK_REVOKE_ROLE, new RoleKind(new RoleMembershipHandler(), "REVOKE_ROLE")),
            entry(HiveParser.TOK_SET_ROLE, new RoleKind(new CurrentRoleHandler(), "SHOW_ROLES")),
            entry(HiveParser.TOK_SHOW_CURRENT_ROLE, new RoleKind(new CurrentRoleHandler(), "SHOW_ROLES")),
            entry(HiveParser.TOK_SHOW_ROLES, new RoleKind(new ShowRolesHandler(), "SHOW_ROLES")),
            entry(HiveParser.TOK_SHOW_ROLE_PRINCIPALS, new RoleKind(new ShowRolesHandler(), "SHOW_ROLE_PRINCIPALS")),
            entry(HiveParser.TOK_SHOW_ROLE_GRANT, new RoleKind(new ShowRolesHandler(), "SHOW_ROLE_GRANT")),
            entry(HiveParser.TOK_GRANT, new RoleKind(new GrantHandler(), "GRANT_PRIVILEGE")),
            entry(HiveParser.TOK_REVOKE, new RoleKind(new GrantHandler(), "REVOKE_PRIVILEGE")),
            entry(HiveParser.TOK_SHOW_GRANT, new RoleKind(new ShowGrantHandler(), "SHOW_GRANT")));

    /** @param handler while roles and grants decide */
    private record RoleKind(StatementHandler handler, String operation) {
        StatementKind kind(boolean plugin) {
            return new StatementKind(
                    plugin ? new PluginGrantHandler(operation) : handler, AccessRule.unasked(operation));
        }
    }

    private StatementKinds() {}

    private static Map.Entry<Integer, StatementKind> kind(int root, StatementHandler handler, AccessRule needs) {
        return entry(root, new StatementKind(handler, needs));
    }

    /** Compiles a statement that is a part of another one, which has declared what it needs. */
    static SqlStatement compile(SyntaxNode statement, StatementContext context) {
        return of(statement, context.access().ofSession()).handler().compile(statement, context);
    }

    /** Returns the roots of all kinds. */
    static Set<Integer> roots() {
        return Sets.union(KINDS.keySet(), ROLE_KINDS.keySet());
    }

    /**
     * @param access says who decides in the session
     * @throws SkepException NOT_SUPPORTED, with the kind of statement
     */
    static StatementKind of(SyntaxNode root, SessionAccess access) {
        Optional<SplitsCall> splits = SplitsCall.of(root);
        if (splits.isPresent()) {
            GetSplitsHandler handler = new GetSplitsHandler(splits.get());
            return new StatementKind(handler, handler::needs);
        }
        Optional<WriteCall> write = WriteCall.of(root);
        if (write.isPresent()) {
            WriteCallHandler handler = new WriteCallHandler(write.get());
            return new StatementKind(handler, handler::needs);
        }
        RoleKind role = ROLE_KINDS.get(root.type());
        StatementKind kind = role == null
                ? KINDS.get(root.type())
                : role.kind(access.plugin().isPresent());
        if (kind == null) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "statements of this kind are not supported yet (" + root.text() + ")")
                    .at(root.position());
        }
        return kind;
    }
}
