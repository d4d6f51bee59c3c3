package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.metastore.Table;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.execution.RunListener;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.ViewTimeZone;
import io.skep.ql.transaction.ScopedStatement;
import io.skep.ql.transaction.TransactionScope;
import io.skep.ql.transaction.ViewSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * ALTER MATERIALIZED VIEW name REBUILD. Nothing is computed if the sources have not changed. If the view's
 * query allows it, the view's rows are computed from the rows that the sources have gained and lost. Otherwise all rows
 * are computed.
 */
public final class RebuildStatement implements SqlStatement, ScopedStatement {
    private static final String OPERATION = "ALTER_MATERIALIZED_VIEW_REBUILD";
    private static final String INCREMENTAL = "hive.materializedview.rebuild.incremental";

    private final Table view;
    private final TableName name;
    private final boolean mayBeCurrent;
    private final Optional<WriteStatement> incremental;
    private final WriteStatement full;
    private final StatementContext context;
    private volatile WriteStatement last;
    private volatile Optional<Long> modified = Optional.empty();

    /** @param query has the columns of the view in their order */
    public RebuildStatement(
            Table view,
            TableName name,
            List<Table> sources,
            AnalyzedQuery query,
            SyntaxNode statement,
            StatementContext context) {
        this.view = view;
        this.name = name;
        this.context = context;
        MaterializedRows all =
                new MaterializedRows(view, sources, query, Destination.ofView(view, true, statement), context);
        this.full = WriteStatement.writing(OPERATION, List.of(all.writer()), query, all, context);
        this.mayBeCurrent =
                all.areWhole() && ViewTimeZone.isOf(view, context.settings().timeZone());
        Optional<IncrementalRebuild> increment =
                all.areWhole() && context.settings().getBoolean(INCREMENTAL)
                        ? IncrementalRebuild.of(view, sources, query, statement, context)
                        : Optional.empty();
        this.incremental = increment.map(
                found -> WriteStatement.writing(OPERATION, List.of(found.rows().writer()), query, found, context));
        this.last = incremental.orElse(full);
    }

    @Override
    public Optional<ResultSchema> schema() {
        return Optional.empty();
    }

    @Override
    public Optional<ResultSchema> described() {
        return full.described();
    }

    @Override
    public String operationName() {
        return OPERATION;
    }

    @Override
    public TransactionScope scope() {
        return last.scope();
    }

    @Override
    public Optional<Supplier<String>> plan() {
        return last.plan();
    }

    @Override
    public long planBytes() {
        return full.planBytes() + incremental.map(WriteStatement::planBytes).orElse(0L);
    }

    @Override
    public void run(RunListener listener) {
        if (isCurrent()) {
            listener.log("the rows of " + view.qualifiedName() + " are those of its tables already");
            modified = Optional.of(0L);
        } else if (!runIncrementally(listener)) {
            run(full, listener);
        }
    }

    /** Returns false if all rows must be computed. */
    private boolean runIncrementally(RunListener listener) {
        if (incremental.isEmpty()) {
            return false;
        }
        try {
            run(incremental.get(), listener);
            return true;
        } catch (SkepException e) {
            // A full rebuild replaces all rows, whatever has changed.
            String reason = IncrementalRebuild.whyAllRows(e).orElseThrow(() -> e);
            listener.log("all rows are computed: " + reason);
            return false;
        }
    }

    private void run(WriteStatement chosen, RunListener listener) {
        last = chosen;
        chosen.run(listener);
        modified = chosen.modifiedRows();
    }

    /** Whether the view has the rows of its tables as they are now. Then that is recorded, with the present time. */
    private boolean isCurrent() {
        if (!mayBeCurrent || content(view).isEmpty()) {
            return false;
        }
        AtomicBoolean isCurrent = new AtomicBoolean();
        ExclusiveTables.run(name, context, () -> {
            Optional<Table> now = context.catalog().table(view.database(), view.name());
            Optional<ViewSnapshot> filled = now.flatMap(RebuildStatement::content);
            if (filled.isPresent() && isOfPresentRows(filled.get())) {
                Table table = now.orElseThrow();
                TableStore.replace(table, table, false, context);
                isCurrent.set(true);
            }
        });
        return isCurrent.get();
    }

    private static Optional<ViewSnapshot> content(Table view) {
        return view.materialization().flatMap(ViewSnapshot::of);
    }

    private boolean isOfPresentRows(ViewSnapshot filled) {
        return filled.isOf(ViewSnapshot.now(
                List.of(filled), context.services().transactions().store()));
    }

    @Override
    public ResultStream results() {
        return Optional::empty;
    }

    @Override
    public Optional<Long> modifiedRows() {
        return modified;
    }

    @Override
    public void cancel(SkepException reason) {
        incremental.ifPresent(statement -> statement.cancel(reason));
        full.cancel(reason);
    }

    @Override
    public Optional<ExecutionStats> stats() {
        return last.stats();
    }

    @Override
    public void close() {
        incremental.ifPresent(WriteStatement::close);
        full.close();
    }
}
