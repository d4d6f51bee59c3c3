package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.ColumnCount;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** ANALYZE TABLE name [PARTITION (...)] COMPUTE STATISTICS [NOSCAN] [FOR COLUMNS [...]]. */
public final class AnalyzeHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(0);
        TableName name = TableName.asWritten(target.child(0), context);
        Table table = context.table(name);
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW) {
            throw CompileErrors.plain(name.position(), StandardErrorCode.NOT_A_TABLE, ErrorMsg.ANALYZE_VIEW);
        }
        if (hasWord(statement, "noscan")) {
            HandlerRules.refuse(table, ErrorMsg.ANALYZE_TABLE_NOSCAN_NON_NATIVE, name.position());
        }
        HandlerRules.refuse(table, "ANALYZE", name.position());
        ColumnStatisticsCollector analysis = analysis(statement, table, context);
        target.first(HiveParser.TOK_PARTSPEC).ifPresent(spec -> requirePartition(statement, table, spec, context));
        return hasWord(statement, "noscan")
                ? CommandStatement.changing("ANALYZE_TABLE", run -> countFiles(statement, name, run, context))
                : CommandStatement.changing("ANALYZE_TABLE", analysis::countRows);
    }

    /** Refuses values that no partition has. NOSCAN accepts them, as in Hive. */
    private static void requirePartition(
            SyntaxNode statement, Table table, SyntaxNode written, StatementContext context) {
        PartitionSpec spec = PartitionSpec.of(table, written, context);
        if (hasWord(statement, "noscan")
                || !spec.isStatic()
                || !spec.partitions(context).isEmpty()) {
            return;
        }
        if (hasWord(statement, "columns")) {
            ErrorMsg error = ErrorMsg.COLUMNSTATSCOLLECTOR_INVALID_PARTITION;
            throw CompileErrors.plain(
                    written.position(),
                    StandardErrorCode.PARTITION_NOT_FOUND,
                    error,
                    error.getMsg() + " : " + spec.shown());
        }
        throw CompileErrors.at(
                written.children().getLast(), StandardErrorCode.PARTITION_NOT_FOUND, ErrorMsg.INVALID_PARTITION);
    }

    private static ColumnStatisticsCollector analysis(SyntaxNode statement, Table table, StatementContext context) {
        Optional<PartitionSpec> spec =
                statement.child(0).first(HiveParser.TOK_PARTSPEC).map(node -> PartitionSpec.of(table, node, context));
        List<FieldSchema> columns = hasWord(statement, "columns") ? columns(table, statement) : List.of();
        return new ColumnStatisticsCollector(table, spec, columns, context);
    }

    /** Counts the files of the table while no other statement changes it. */
    private static void countFiles(SyntaxNode statement, TableName name, CommandRun run, StatementContext context) {
        List<TableUse> uses = TransactionalChange.uses(context.table(name), TableAccess.DEFINE_SHARED);
        TransactionalChange.define(
                uses,
                run,
                context,
                () -> ExclusiveTables.run(name, context, () -> {
                    Table now = context.table(name);
                    TransactionalChange.requireLocked(now, uses);
                    analysis(statement, now, context).countFiles(run);
                }));
    }

    private static boolean hasWord(SyntaxNode statement, String word) {
        return statement.children().stream()
                .skip(1)
                .anyMatch(child -> child.text().equalsIgnoreCase(word));
    }

    /** Returns the listed columns, or all columns whose type supports statistics. */
    private static List<FieldSchema> columns(Table table, SyntaxNode statement) {
        Optional<SyntaxNode> listed = statement.first(HiveParser.TOK_TABCOLNAME);
        if (listed.isEmpty()) {
            return table.columns().stream()
                    .filter(column -> ColumnCount.supports(column.type()))
                    .toList();
        }
        return listed.get().children().stream().map(node -> column(table, node)).toList();
    }

    private static FieldSchema column(Table table, SyntaxNode node) {
        String name = SyntaxText.identifier(node);
        FieldSchema column = table.columns().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CompileErrors.plain(
                        node.position(),
                        StandardErrorCode.COLUMN_NOT_FOUND,
                        ErrorMsg.INVALID_COLUMN,
                        ErrorMsg.INVALID_COLUMN.getMsg() + " '" + name + "' (possible columns are "
                                + table.columns().stream()
                                        .map(FieldSchema::name)
                                        .toList() + ")"));
        if (!ColumnCount.supports(column.type())) {
            throw new SkepException(
                            StandardErrorCode.TYPE_MISMATCH,
                            "Only primitive type arguments are accepted but "
                                    + column.type().displayName() + " is passed for '" + name + "'")
                    .at(node.position());
        }
        return column;
    }
}
