package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.transaction.TableUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Compiles ALTER TABLE and ALTER VIEW. Each has one change, identified by the type of the clause. */
public final class AlterTableHandler implements StatementHandler {
    /** The objects that an ALTER statement works on. */
    record Alteration(Table table, SyntaxNode clause, Optional<SyntaxNode> partition, StatementContext context) {
        /** Returns the same alteration of the table as it is now. */
        Alteration of(Table now) {
            return new Alteration(now, clause, partition, context);
        }

        SkepException notSupported(String what) {
            return new SkepException(StandardErrorCode.NOT_SUPPORTED, what + " is not supported yet")
                    .at(clause.position());
        }
    }

    /**
     * Checks one kind of change. Returns the action that carries it out, which runs after the point where the statement
     * can be cancelled.
     */
    @FunctionalInterface
    interface Change {
        Runnable prepare(Alteration alteration);
    }

    /**
     * Checks one kind of change. Returns the action that acquires the required leases, checks again, and carries it
     * out.
     */
    @FunctionalInterface
    interface LeasingChange {
        Consumer<CommandRun> prepare(Alteration alteration);
    }

    private static final Map<Integer, Change> CHANGES = Map.ofEntries(
            Map.entry(HiveParser.TOK_ALTERTABLE_ADDCOLS, AlterColumns::add),
            Map.entry(HiveParser.TOK_ALTERTABLE_REPLACECOLS, AlterColumns::replace),
            Map.entry(HiveParser.TOK_ALTERTABLE_DROPCOL, AlterColumns::drop),
            Map.entry(HiveParser.TOK_ALTERTABLE_UPDATECOLUMNS, AlterColumns::ofSerde),
            Map.entry(HiveParser.TOK_ALTERTABLE_RENAMECOL, AlterColumns::change),
            Map.entry(HiveParser.TOK_ALTERTABLE_PARTCOLTYPE, AlterColumns::partitionColumn),
            Map.entry(HiveParser.TOK_ALTERTABLE_PROPERTIES, AlterProperties::set),
            Map.entry(HiveParser.TOK_ALTERVIEW_PROPERTIES, AlterProperties::set),
            Map.entry(HiveParser.TOK_ALTERTABLE_DROPPROPERTIES, AlterProperties::unset),
            Map.entry(HiveParser.TOK_ALTERVIEW_DROPPROPERTIES, AlterProperties::unset),
            Map.entry(SyntaxNode.ROW_FILTER, AlterPolicies::rowFilter),
            Map.entry(SyntaxNode.MASK, AlterPolicies::mask),
            Map.entry(HiveParser.TOK_ALTERTABLE_OWNER, AlterProperties::owner),
            Map.entry(HiveParser.TOK_ALTERTABLE_SERIALIZER, AlterStorage::serde),
            Map.entry(HiveParser.TOK_ALTERPARTITION_SERIALIZER, AlterStorage::serde),
            Map.entry(HiveParser.TOK_ALTERTABLE_SETSERDEPROPERTIES, AlterStorage::serdeProperties),
            Map.entry(HiveParser.TOK_ALTERPARTITION_SETSERDEPROPERTIES, AlterStorage::serdeProperties),
            Map.entry(HiveParser.TOK_ALTERTABLE_UNSETSERDEPROPERTIES, AlterStorage::unsetSerdeProperties),
            Map.entry(HiveParser.TOK_ALTERPARTITION_UNSETSERDEPROPERTIES, AlterStorage::unsetSerdeProperties),
            Map.entry(HiveParser.TOK_ALTERTABLE_FILEFORMAT, AlterStorage::fileFormat),
            Map.entry(HiveParser.TOK_ALTERPARTITION_FILEFORMAT, AlterStorage::fileFormat),
            Map.entry(HiveParser.TOK_ALTERTABLE_LOCATION, AlterStorage::location),
            Map.entry(HiveParser.TOK_ALTERPARTITION_LOCATION, AlterStorage::location),
            Map.entry(HiveParser.TOK_ALTERTABLE_CLUSTER_SORT, AlterStorage::buckets),
            Map.entry(HiveParser.TOK_ALTERTABLE_BUCKETS, AlterStorage::buckets),
            Map.entry(HiveParser.TOK_ALTERPARTITION_BUCKETS, AlterStorage::buckets),
            Map.entry(HiveParser.TOK_ALTERTABLE_SKEWED, AlterSkew::skew),
            Map.entry(HiveParser.TOK_ALTERTABLE_SKEWED_LOCATION, AlterSkew::locations),
            Map.entry(HiveParser.TOK_ALTERTABLE_ADDPARTS, AlterPartitions::add),
            Map.entry(HiveParser.TOK_ALTERVIEW_ADDPARTS, AlterPartitions::add),
            Map.entry(HiveParser.TOK_ALTERTABLE_TOUCH, AlterPartitions::touch),
            Map.entry(HiveParser.TOK_ALTERTABLE_UPDATECOLSTATS, AlterStatistics::update),
            Map.entry(HiveParser.TOK_ALTERPARTITION_UPDATECOLSTATS, AlterStatistics::update),
            Map.entry(HiveParser.TOK_ALTERTABLE_UPDATESTATS, AlterStatistics::updateCounts),
            Map.entry(HiveParser.TOK_ALTERPARTITION_UPDATESTATS, AlterStatistics::updateCounts),
            Map.entry(HiveParser.TOK_ALTERTABLE_ADDCONSTRAINT, AlterConstraints::add),
            Map.entry(HiveParser.TOK_ALTERTABLE_DROPCONSTRAINT, AlterConstraints::drop),
            Map.entry(HiveParser.TOK_ALTERVIEW_AS, AlterRename::viewQuery));

    private static final Map<Integer, LeasingChange> LEASING_CHANGES = Map.of(
            HiveParser.TOK_ALTERTABLE_EXCHANGEPARTITION,
            ExchangePartition::prepare,
            HiveParser.TOK_ALTERTABLE_RENAME,
            AlterRename::table,
            HiveParser.TOK_ALTERVIEW_RENAME,
            AlterRename::table,
            HiveParser.TOK_ALTERTABLE_RENAMEPART,
            AlterRename::partition,
            HiveParser.TOK_ALTERTABLE_DROPPARTS,
            AlterPartitions::drop,
            HiveParser.TOK_ALTERVIEW_DROPPARTS,
            AlterPartitions::drop);

    /** Changes that leave the rows of a table alone. */
    private static final Set<Integer> OF_MATERIALIZED_VIEWS = Set.of(
            HiveParser.TOK_ALTERTABLE_PROPERTIES,
            HiveParser.TOK_ALTERTABLE_DROPPROPERTIES,
            HiveParser.TOK_ALTERTABLE_OWNER,
            HiveParser.TOK_ALTERTABLE_RENAME,
            HiveParser.TOK_ALTERTABLE_TOUCH,
            HiveParser.TOK_ALTERTABLE_UPDATECOLSTATS,
            HiveParser.TOK_ALTERPARTITION_UPDATECOLSTATS,
            HiveParser.TOK_ALTERTABLE_UPDATESTATS,
            HiveParser.TOK_ALTERPARTITION_UPDATESTATS,
            HiveParser.TOK_ALTERTABLE_COMPACT,
            SyntaxNode.ROW_FILTER,
            SyntaxNode.MASK);

    /** Changes of tables whose rows another system keeps. */
    private static final Set<Integer> OF_HANDLERS = Set.of(
            HiveParser.TOK_ALTERTABLE_PROPERTIES,
            HiveParser.TOK_ALTERTABLE_DROPPROPERTIES,
            HiveParser.TOK_ALTERTABLE_ADDCOLS,
            HiveParser.TOK_ALTERTABLE_OWNER,
            SyntaxNode.ROW_FILTER,
            SyntaxNode.MASK);

    /** Changes that may add folders to the catalog. */
    private static final Set<Integer> LOCATING = Set.of(
            HiveParser.TOK_ALTERTABLE_LOCATION,
            HiveParser.TOK_ALTERPARTITION_LOCATION,
            HiveParser.TOK_ALTERTABLE_ADDPARTS);

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        boolean view = statement.is(HiveParser.TOK_ALTERVIEW);
        TableName name = TableName.of(statement.child(0), context);
        if (statement.has(HiveParser.TOK_ALTERVIEW_AS)) {
            requireView(name, context);
        }
        Table table = context.table(name);
        SyntaxNode clause = statement.child(1);
        check(table, view, name);
        refuseRows(table, clause);
        refuseHandlers(table, clause, context);
        Alteration alteration = new Alteration(table, clause, statement.first(HiveParser.TOK_PARTSPEC), context);
        if (clause.is(HiveParser.TOK_ALTERTABLE_COMPACT)) {
            return AlterCompaction.compile(alteration);
        }
        if (clause.is(HiveParser.TOK_ALTERTABLE_MERGEFILES) || clause.is(HiveParser.TOK_ALTERPARTITION_MERGEFILES)) {
            return table.isTransactional()
                    ? AlterCompaction.concatenating(alteration)
                    : Concatenation.compile(alteration);
        }
        String operation = view ? "ALTERVIEW" : "ALTERTABLE";
        Optional<LeasingChange> leasing = leasing(alteration);
        if (leasing.isPresent()) {
            return CommandStatement.changing(operation, leasing.get().prepare(alteration));
        }
        Change change = CHANGES.get(clause.type());
        if (change == null) {
            throw alteration.notSupported((view ? "ALTER VIEW ... " : "ALTER TABLE ... ")
                    + clause.text().replaceFirst("TOK_ALTER(TABLE|VIEW|PARTITION)_", ""));
        }
        return CommandStatement.changing(operation, exclusive(change, alteration, name));
    }

    /** Returns the change, if it acquires its leases itself. */
    private static Optional<LeasingChange> leasing(Alteration alteration) {
        if (TransactionalPartitions.isFor(alteration)) {
            return Optional.of(TransactionalPartitions::add);
        }
        if (TransactionalConversion.isFor(alteration)) {
            return Optional.of(TransactionalConversion::prepare);
        }
        return Optional.ofNullable(LEASING_CHANGES.get(alteration.clause().type()));
    }

    /**
     * Checks the change at once, and prepares it again when it runs, against the table and its partitions as they are
     * while no other statement changes them.
     */
    private static Consumer<CommandRun> exclusive(Change change, Alteration alteration, TableName name) {
        StatementContext context = alteration.context();
        SyntaxNode clause = alteration.clause();
        change.prepare(alteration);
        List<TableUse> uses = AlterLocks.of(alteration);
        return run -> {
            TransactionalChange.define(
                    uses,
                    run,
                    context,
                    scope -> ExclusiveTables.run(name, context, () -> {
                        Table now = context.table(name);
                        check(now, alteration.table().kind() == Table.TableKind.VIRTUAL_VIEW, name);
                        TransactionalChange.requireLocked(now, uses);
                        Runnable prepared = change.prepare(alteration.of(now));
                        run.beginCommit();
                        TransactionalChange.changeRows(now, uses, scope);
                        prepared.run();
                    }));
            if (LOCATING.contains(clause.type())) {
                context.services().commits().awaitFolders(Optional.empty());
            }
        };
    }

    private static void refuseHandlers(Table table, SyntaxNode clause, StatementContext context) {
        if (context.access().ofSession().plugin().isPresent()) {
            HandlerRules.refuse(table, "ALTER TABLE with an authorizer of the site", clause.position());
        }
        if (clause.is(HiveParser.TOK_ALTERTABLE_MERGEFILES)) {
            HandlerRules.refuse(table, ErrorMsg.CONCATENATE_UNSUPPORTED_TABLE_NON_NATIVE, clause.position());
        } else if (!OF_HANDLERS.contains(clause.type())) {
            HandlerRules.refuseAlter(table, clause.position());
        }
    }

    /** The rows of a materialized view are those of its query, until it is filled again. */
    static void refuseRows(Table table, SyntaxNode clause) {
        if (table.kind() == Table.TableKind.MATERIALIZED_VIEW && !OF_MATERIALIZED_VIEWS.contains(clause.type())) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "this statement may change rows, which is not supported for the materialized view "
                                    + table.qualifiedName())
                    .at(clause.position())
                    .withHint("drop the view and create it again");
        }
    }

    private static void requireView(TableName name, StatementContext context) {
        if (context.session().table(name.database(), name.table()).isEmpty()) {
            ErrorMsg error = ErrorMsg.ALTER_VIEW_AS_SELECT_NOT_EXIST;
            throw CompileErrors.plain(
                    name.position(),
                    StandardErrorCode.TABLE_NOT_FOUND,
                    error,
                    error.getMsg() + " The following view does not exist: " + name.qualified());
        }
    }

    static void check(Table table, boolean view, TableName name) {
        boolean isView = table.kind() == Table.TableKind.VIRTUAL_VIEW;
        if (isView != view) {
            throw CompileErrors.plain(
                    name.position(),
                    view ? StandardErrorCode.NOT_A_VIEW : StandardErrorCode.NOT_A_TABLE,
                    view ? ErrorMsg.ALTER_COMMAND_FOR_TABLES : ErrorMsg.ALTER_COMMAND_FOR_VIEWS);
        }
    }
}
