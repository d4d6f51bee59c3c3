package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Catalog;
import io.skep.metastore.Database;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.DropRequest;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** DROP DATABASE [IF EXISTS] name [RESTRICT | CASCADE]. */
public final class DropDatabaseHandler implements StatementHandler {
    /** The number of attempts. Other statements may create tables while the tables found are being dropped. */
    private static final int CASCADES = 10;

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode name = statement.child(0);
        String database = SyntaxText.identifier(name);
        boolean ifExists = statement.has(HiveParser.TOK_IFEXISTS);
        boolean cascade = statement.has(HiveParser.TOK_CASCADE);
        return CommandStatement.changing("DROPDATABASE", run -> {
            if (database.equals(Database.DEFAULT_NAME)) {
                throw CompileErrors.task(
                        name.position(),
                        StandardErrorCode.NOT_SUPPORTED,
                        ErrorMsg.GENERIC_ERROR,
                        "MetaException(message:Can not drop default database in catalog hive)");
            }
            if (context.catalog().database(database).isEmpty()) {
                if (!ifExists) {
                    context.database(database, name.position());
                }
                return;
            }
            List<TableUse> uses = cascade ? transactional(database, context) : List.of();
            TransactionalChange.define(uses, run, context, () -> {
                int attempts = cascade ? CASCADES : 1;
                while (!tryDrop(database, --attempts, run, context)) {
                    dropTables(database, name, uses, run, context);
                }
            });
        });
    }

    /**
     * Returns the locks on all transactional tables of a database, which one request waits for. Hive locks the database
     * instead, and its plain tables with it.
     */
    private static List<TableUse> transactional(String database, StatementContext context) {
        Catalog catalog = context.catalog();
        return catalog.tablesByName(database, catalog.tables(database)).stream()
                .flatMap(table -> TransactionalChange.uses(table, TableAccess.DEFINE_EXCLUSIVE).stream())
                .toList();
    }

    /** @return false when the database still has tables and attempts are left */
    private static boolean tryDrop(String database, int attemptsLeft, CommandRun run, StatementContext context) {
        if (attemptsLeft > 0 && !context.catalog().tables(database).isEmpty()) {
            return false;
        }
        try {
            ExclusiveTables.runForDatabase(database, context, () -> {
                run.beginCommit();
                context.catalog().dropDatabase(database, false);
            });
            return true;
        } catch (SkepException e) {
            if (attemptsLeft == 0 || e.code() != StandardErrorCode.DATABASE_NOT_EMPTY) {
                throw e;
            }
            return false;
        }
    }

    /** Drops the tables one by one, since each may have to wait for a commit. Materialized views keep their sources. */
    private static void dropTables(
            String database, SyntaxNode name, List<TableUse> uses, CommandRun run, StatementContext context) {
        for (String table : context.catalog().inDropOrder(database)) {
            TableName dropped = new TableName(database, table, name.position());
            ExclusiveTables.dropping(
                    dropped,
                    run,
                    context,
                    drops -> context.catalog()
                            .table(database, table)
                            .map(found -> dropped(found, name.position(), uses, context))
                            .ifPresent(drops));
        }
    }

    private static DropRequest dropped(Table table, TextPosition where, List<TableUse> uses, StatementContext context) {
        DropTableHandler.refuseSource(table, where, context);
        TransactionalChange.requireLocked(table, uses);
        return ExclusiveTables.dropped(table, DroppedFiles.TRASHED, context);
    }
}
