package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.metastore.Table.TableKind;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.ql.statistics.StatisticsProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** CREATE [OR REPLACE] VIEW [IF NOT EXISTS] name [(columns)] [COMMENT] [PARTITIONED ON] [TBLPROPERTIES] AS query. */
public final class CreateViewHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        context.database(name.database(), name.position());
        if (isThere(statement, name, context)) {
            return CommandStatement.changing("CREATEVIEW", run -> {});
        }
        SyntaxNode query = statement.child(statement.childCount() - 1);
        List<SyntaxNode> columns = statement
                .first(HiveParser.TOK_TABCOLNAME)
                .map(SyntaxNode::children)
                .orElse(List.of());
        ViewDefinition definition =
                ViewDefinition.of(name, query, columns, statement.first(HiveParser.TOK_VIEWPARTCOLS), context);
        context.session().table(name.database(), name.table()).ifPresent(before -> {
            PolicyProperties.refuseReplacement(before, name.position());
            requireSameKeys(before, definition, name, context);
        });
        Table view = view(statement, name, definition, context);
        return CommandStatement.changing(
                "CREATEVIEW",
                run -> ExclusiveTables.run(name, context, () -> {
                    if (!isThere(statement, name, context)) {
                        create(view, name, definition, run, context);
                    }
                }));
    }

    /** Whether a table or view of this name exists and must stay as it is. */
    private static boolean isThere(SyntaxNode statement, TableName name, StatementContext context) {
        Optional<Table> existing = context.session().table(name.database(), name.table());
        if (existing.isPresent() && !statement.has(HiveParser.TOK_ORREPLACE)) {
            if (statement.has(HiveParser.TOK_IFNOTEXISTS)) {
                return true;
            }
            throw CompileErrors.task(
                    name.position(),
                    StandardErrorCode.TABLE_EXISTS,
                    ErrorMsg.TABLE_ALREADY_EXISTS,
                    ErrorMsg.TABLE_ALREADY_EXISTS.getMsg() + " " + name.qualified());
        }
        existing.filter(table -> table.kind() != TableKind.VIRTUAL_VIEW).ifPresent(table -> {
            throw CompileErrors.plain(
                    name.position(),
                    StandardErrorCode.NOT_A_VIEW,
                    ErrorMsg.EXISTING_TABLE_IS_NOT_VIEW,
                    ErrorMsg.EXISTING_TABLE_IS_NOT_VIEW.getMsg() + " The following is an existing table, not a view: "
                            + name.qualified());
        });
        return false;
    }

    /** Creates the view. Runs under the lease of its name. */
    private static void create(
            Table view, TableName name, ViewDefinition definition, CommandRun run, StatementContext context) {
        Optional<Table> before = context.catalog().table(name.database(), name.table());
        if (before.isPresent()) {
            PolicyProperties.refuseReplacement(before.get(), name.position());
            requireSameKeys(before.get(), definition, name, context);
            run.beginCommit();
            context.catalog().alterTable(name.database(), name.table(), replaced(before.get(), view), false);
        } else {
            run.beginCommit();
            context.catalog().createTable(view);
        }
    }

    /** As in Hive, a view that is replaced keeps its owner, and the properties that the statement does not give. */
    private static Table replaced(Table before, Table view) {
        Map<String, String> properties = new TreeMap<>(before.properties());
        properties.putAll(view.properties());
        return new Table(
                view.id(),
                view.database(),
                view.name(),
                view.kind(),
                before.owner(),
                before.ownerIsRole(),
                before.createTime(),
                view.lastAccessTime(),
                view.partitionKeys(),
                view.storage(),
                properties,
                view.viewOriginalText(),
                view.viewExpandedText(),
                view.materialization());
    }

    /**
     * Partitions of a view are identified by its partition columns, so these must not change while the view has
     * partitions.
     */
    public static void requireSameKeys(
            Table before, ViewDefinition definition, TableName name, StatementContext context) {
        if (!before.partitionKeys().equals(definition.partitionKeys())
                && !context.catalog().partitionNames(before).isEmpty()) {
            throw CompileErrors.plain(
                            name.position(),
                            StandardErrorCode.SEMANTIC_ERROR,
                            ErrorMsg.REPLACE_VIEW_WITH_PARTITION,
                            ErrorMsg.REPLACE_VIEW_WITH_PARTITION.getMsg()
                                    + " The following view has partition, it could not be replaced: "
                                    + name.qualified())
                    .withHint("drop its partitions first");
        }
    }

    private static Table view(
            SyntaxNode statement, TableName name, ViewDefinition definition, StatementContext context) {
        long now = context.services().clock().instant().getEpochSecond();
        Map<String, String> properties = new TreeMap<>();
        properties.put("bucketing_version", "2");
        properties.put(StatisticsProperties.DDL_TIME, Long.toString(now));
        statement
                .first(HiveParser.TOK_TABLEPROPERTIES)
                .map(node -> PolicyProperties.unreserved(SyntaxText.properties(node), node.position()))
                .ifPresent(properties::putAll);
        statement
                .first(HiveParser.TOK_TABLECOMMENT)
                .ifPresent(node -> properties.put("comment", SyntaxText.string(node.child(0))));
        return new Table(
                Table.NO_ID,
                name.database(),
                name.table(),
                TableKind.VIRTUAL_VIEW,
                context.session().user(),
                false,
                now,
                0,
                definition.partitionKeys(),
                definition.storage(),
                properties,
                Optional.of(definition.original()),
                Optional.of(definition.expanded()),
                Optional.empty());
    }
}
