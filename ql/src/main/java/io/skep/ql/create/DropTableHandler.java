package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.StatementServices;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** DROP TABLE [IF EXISTS] name [PURGE] and DROP VIEW [IF EXISTS] name. */
public final class DropTableHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        boolean view = statement.is(HiveParser.TOK_DROPVIEW);
        TableName name = TableName.of(statement.child(0), context);
        boolean ifExists = statement.has(HiveParser.TOK_IFEXISTS)
                || context.settings().getBoolean("hive.exec.drop.ignorenonexistent");
        boolean purge = statement.has(HiveParser.KW_PURGE);
        DroppedFiles files = DroppedFiles.by(purge);
        return CommandStatement.changing(view ? "DROPVIEW" : "DROPTABLE", run -> {
            Optional<Table> own = context.session().temporaryTables().get(name.database(), name.table());
            if (own.isPresent()) {
                check(own.get(), view, statement);
                run.beginCommit();
                context.session().temporaryTables().endWrite(own.get());
                context.session().temporaryTables().remove(name.database(), name.table());
                deleteTemporary(own.get(), context.services());
                return;
            }
            List<TableUse> uses = context.catalog()
                    .table(name.database(), name.table())
                    .map(table -> TransactionalChange.uses(table, TableAccess.DEFINE_EXCLUSIVE))
                    .orElse(List.of());
            TransactionalChange.define(
                    uses,
                    run,
                    context,
                    () -> ExclusiveTables.dropping(name, run, context, drops -> {
                        Optional<Table> table = context.catalog().table(name.database(), name.table());
                        if (table.isPresent()) {
                            check(table.get(), view, statement);
                            TransactionalChange.requireLocked(table.get(), uses);
                            drops.accept(ExclusiveTables.dropped(table.get(), files, context));
                        } else if (!ifExists) {
                            throw name.notFound(context.catalog().tables(name.database()));
                        }
                    }));
        });
    }

    private static void check(Table table, boolean view, SyntaxNode statement) {
        boolean isView = table.kind() == Table.TableKind.VIRTUAL_VIEW;
        if (isView == view) {
            return;
        }
        throw CompileErrors.task(
                statement.child(0).position(),
                view ? StandardErrorCode.NOT_A_VIEW : StandardErrorCode.NOT_A_TABLE,
                ErrorMsg.GENERIC_ERROR,
                view ? "Cannot drop a base table with DROP VIEW" : "Cannot drop a view with DROP TABLE");
    }

    /**
     * Deletes the files of a temporary table, with the folder that was created for the table alone, if there is one.
     * Files of an external table stay. A folder that a statement named also stays if another table's folder overlaps it
     * by then.
     */
    public static void deleteTemporary(Table table, StatementServices services) {
        if (!table.ownsFiles()) {
            return;
        }
        String location = table.storage().location();
        String own = location.substring(0, location.lastIndexOf('/'));
        StagingFolders folders = services.commits().folders();
        if (folders.has(own)) {
            folders.delete(own);
        } else {
            services.commits().deleteUnlessTaken(location);
        }
    }
}
