package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.common.query.QueryId;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.metastore.Catalog;
import io.skep.metastore.Database;
import io.skep.metastore.Table;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.authorize.StatementAccess;
import io.skep.ql.commit.ChangedFiles;
import io.skep.ql.execution.QueryAttemptId;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.PartitionColumns;
import io.skep.ql.physical.PartitionPruner;
import io.skep.ql.session.Session;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.transaction.TransactionScope;
import io.skep.ql.transaction.TransactionSettings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * The context in which one statement is compiled and run.
 *
 * @param length length of the statement's text after substitution of variables; the text itself is not kept, since
 *     clients keep operations open
 * @param numbers see {@link #nextName}
 * @param attempts see {@link #nextAttempt}
 * @param access what the statement needs, and whether that is allowed
 */
public record StatementContext(
        QueryId queryId,
        int length,
        Session session,
        StatementServices services,
        AtomicInteger numbers,
        AtomicInteger attempts,
        StatementAccess access) {
    /** Returns this context with another access. */
    public StatementContext withAccess(StatementAccess other) {
        return new StatementContext(queryId, length, session, services, numbers, attempts, other);
    }

    /** Returns the catalog, including the session's temporary tables. */
    public Catalog catalog() {
        return new SessionCatalog(
                services.catalog(),
                session.temporaryTables(),
                services.files(),
                access.ofSession().files());
    }

    /** Returns which tables and views SHOW lists. */
    public Predicate<Table> visible() {
        return access.ofSession().visibleTables();
    }

    /**
     * Returns the gate of a commit, which fails where the user may not change the files.
     *
     * @param begin called last; fails when the statement was cancelled
     */
    public Consumer<ChangedFiles> gate(Runnable begin) {
        return changed -> {
            access.ofSession().files().requireChangeable(changed);
            begin.run();
        };
    }

    /** Whether the user may change the definition of a table: as its owner, as admin, or without authorization. */
    public boolean mayChange(Table table) {
        AccessNeed ownership = AccessNeed.input(new AccessedObject.OfTable(table), RequiredPrivilege.OWNERSHIP);
        return !access.isEnabled()
                || access.ofSession().newCheck().denial("", List.of(ownership)).isEmpty();
    }

    public SessionSettings settings() {
        return session.settings();
    }

    /** Returns a scope for the statement's transaction, which is opened if transactional tables are used. */
    public TransactionScope newTransactionScope() {
        return new TransactionScope((uses, cancel) -> services.transactions()
                .begin(session.user(), queryId.value(), uses, TransactionSettings.of(settings()), cancel));
    }

    /** @throws SkepException DATABASE_NOT_FOUND */
    public Database database(String name, TextPosition position) {
        return catalog()
                .database(name)
                .orElseThrow(() -> CompileErrors.plain(
                        position,
                        StandardErrorCode.DATABASE_NOT_FOUND,
                        ErrorMsg.DATABASE_NOT_EXISTS,
                        ErrorMsg.DATABASE_NOT_EXISTS.getMsg() + " " + name));
    }

    /** Returns a unique name for one of the statement's commits or folders: the query's id followed by a number. */
    public String nextName() {
        return queryId.value() + "-" + numbers.getAndIncrement();
    }

    /** Names the next attempt to run one of the statement's plans. */
    public QueryAttemptId nextAttempt() {
        return new QueryAttemptId(queryId, attempts.incrementAndGet());
    }

    /**
     * Returns a pruner for the partitions of a table. The server's cache of partitions covers only tables that all
     * sessions see.
     */
    public PartitionPruner pruner(Table table) {
        PartitionColumns partitions =
                TableStore.isTemporary(table, this) ? new PartitionColumns(catalog(), 0) : services.partitions();
        return new PartitionPruner(
                new ExpressionCompiler(session.userFunctions().registry()),
                partitions,
                settings().timeZone().getId());
    }

    /**
     * Returns the table that a query or INSERT names.
     *
     * @param name TOK_TABNAME
     * @throws SkepException TABLE_NOT_FOUND
     */
    public Table queriedTable(SyntaxNode name) {
        TableName wanted = TableName.of(name, this);
        return session.table(wanted.database(), wanted.table())
                .map(access::named)
                .orElseThrow(() -> {
                    SkepException error =
                            CompileErrors.at(name, StandardErrorCode.TABLE_NOT_FOUND, ErrorMsg.INVALID_TABLE);
                    return wanted.withNear(error, catalog().tables(wanted.database()));
                });
    }

    /**
     * Like {@link #table}, for statements that look at the database first.
     *
     * @throws SkepException DATABASE_NOT_FOUND or TABLE_NOT_FOUND
     */
    public Table tableOfDatabase(TableName name) {
        return session.table(name.database(), name.table()).map(access::named).orElseGet(() -> {
            database(name.database(), name.position());
            throw name.notFound(catalog().tables(name.database()));
        });
    }

    /** @throws SkepException TABLE_NOT_FOUND */
    public Table table(TableName name) {
        return session.table(name.database(), name.table())
                .map(access::named)
                .orElseThrow(() -> name.notFound(catalog().tables(name.database())));
    }
}
