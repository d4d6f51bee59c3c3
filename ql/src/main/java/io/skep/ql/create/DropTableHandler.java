package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
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

/** DROP TABLE [IF EXISTS] name [PURGE], DROP VIEW and DROP MATERIALIZED VIEW [IF EXISTS] name. */
public final class DropTableHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Dropped wanted = Dropped.by(statement);
        TableName name = TableName.of(statement.child(0), context);
        boolean ifExists = statement.has(HiveParser.TOK_IFEXISTS)
                || context.settings().getBoolean("hive.exec.drop.ignorenonexistent");
        boolean purge = statement.has(HiveParser.KW_PURGE);
        DroppedFiles files = DroppedFiles.by(purge);
        return CommandStatement.changing(wanted.operation, run -> {
            Optional<Table> own = context.session().temporaryTables().get(name.database(), name.table());
            if (own.isPresent()) {
                wanted.check(own.get(), statement);
                run.beginCommit();
                dropTemporary(own.get(), context);
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
                            wanted.check(table.get(), statement);
                            refuseSource(table.get(), name.position(), context);
                            TransactionalChange.requireLocked(table.get(), uses);
                            drops.accept(ExclusiveTables.dropped(table.get(), files, context));
                        } else if (!ifExists) {
                            throw name.notFound(context.catalog().tables(name.database()));
                        }
                    }));
        });
    }

    /** What a statement of this kind drops. */
    private enum Dropped {
        TABLE("DROPTABLE", "DROP TABLE"),
        VIEW("DROPVIEW", "DROP VIEW"),
        MATERIALIZED_VIEW("DROP_MATERIALIZED_VIEW", "DROP MATERIALIZED VIEW");

        private final String operation;
        private final String words;

        Dropped(String operation, String words) {
            this.operation = operation;
            this.words = words;
        }

        static Dropped by(SyntaxNode statement) {
            return statement.is(HiveParser.TOK_DROPVIEW)
                    ? VIEW
                    : statement.is(HiveParser.TOK_DROP_MATERIALIZED_VIEW) ? MATERIALIZED_VIEW : TABLE;
        }

        private static Dropped of(Table table) {
            return switch (table.kind()) {
                case MANAGED_TABLE, EXTERNAL_TABLE -> TABLE;
                case VIRTUAL_VIEW -> VIEW;
                case MATERIALIZED_VIEW -> MATERIALIZED_VIEW;
            };
        }

        void check(Table table, SyntaxNode statement) {
            Dropped actual = of(table);
            if (actual == this) {
                return;
            }
            String found = switch (actual) {
                case TABLE -> "a base table";
                case VIEW -> "a view";
                case MATERIALIZED_VIEW -> "a materialized view";
            };
            throw CompileErrors.task(
                    statement.child(0).position(),
                    this == TABLE ? StandardErrorCode.NOT_A_TABLE : StandardErrorCode.NOT_A_VIEW,
                    ErrorMsg.GENERIC_ERROR,
                    "Cannot drop " + found + " with " + words);
        }
    }

    /** Drops a temporary table and its files. */
    static void dropTemporary(Table table, StatementContext context) {
        context.session().temporaryTables().endWrite(table);
        context.session().temporaryTables().remove(table.database(), table.name());
        deleteTemporary(table, context.services());
    }

    /** Refuses to drop a table that materialized views read. */
    static void refuseSource(Table table, TextPosition where, StatementContext context) {
        List<String> views = context.catalog().materializedViewsOf(table);
        if (!views.isEmpty()) {
            throw CompileErrors.task(
                            where,
                            StandardErrorCode.NOT_SUPPORTED,
                            ErrorMsg.GENERIC_ERROR,
                            "MetaException(message:Cannot drop table as it is used in the following materialized views "
                                    + views + ")")
                    .withHint("drop the views of " + table.qualifiedName() + " first");
        }
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
