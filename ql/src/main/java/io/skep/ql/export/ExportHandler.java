package io.skep.ql.export;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.handler.VersionedTables;
import io.skep.ql.insert.PlainCopy;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * EXPORT TABLE name [PARTITION (...)] TO path. Copies the files and the definition of a table into a folder. The rows
 * of transactional tables are written anew, as files of plain tables.
 */
public final class ExportHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        statement.first(HiveParser.TOK_REPLICATION).ifPresent(clause -> {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "EXPORT ... FOR REPLICATION is not supported")
                    .at(clause.position());
        });
        SyntaxNode source = statement.child(0);
        Table table = context.queriedTable(source.child(0));
        refuse(table, source, context);
        SyntaxNode where = statement.child(1);
        String target = context.services().paths().check(SyntaxText.string(where), where.position());
        Optional<PartitionSpec> spec =
                source.first(HiveParser.TOK_PARTSPEC).map(node -> PartitionSpec.of(table, node, context));
        List<Partition> partitions = table.partitionKeys().isEmpty() || table.isTransactional()
                ? List.of()
                : context.catalog()
                        .partitions(
                                table,
                                values -> spec.map(some -> some.matches(values)).orElse(true));
        Optional<PlainCopy> rows = table.isTransactional()
                ? Optional.of(
                        new PlainCopy(table, spec.map(PartitionSpec::given).orElse(Map.of())))
                : Optional.empty();
        Export export = new Export(table, partitions, rows, target, where.position(), context);
        export.checkTarget();
        return CommandStatement.changing("EXPORT", export::run);
    }

    private static void refuse(Table table, SyntaxNode source, StatementContext context) {
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW || table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            throw CompileErrors.plain(
                    source.position(),
                    StandardErrorCode.NOT_A_TABLE,
                    ErrorMsg.GENERIC_ERROR,
                    "Views and Materialized Views can not be exported.");
        }
        if (TableStore.isTemporary(table, context)) {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "EXPORT of temporary tables is not supported")
                    .at(source.position());
        }
        HandlerRules.refuse(table, "EXPORT", source.position());
        VersionedTables.refuse(table);
        if (table.isSystem()) {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "EXPORT of system tables is not supported")
                    .withHint("export a table that was created from its rows")
                    .at(source.position());
        }
        if (!new SessionAnalysisContext(context).policies(table).isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "EXPORT copies the files of " + table.qualifiedName()
                                    + ", which have what its row filter or masks hide")
                    .at(source.position());
        }
    }
}
