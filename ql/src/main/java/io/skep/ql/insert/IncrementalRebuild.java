package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.optimize.IncrementalRows;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.query.ViewAlgebra;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.ViewTimeZone;
import io.skep.ql.transaction.SourceChanges;
import io.skep.ql.transaction.TransactionScope;
import io.skep.ql.transaction.ViewSnapshot;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/**
 * A rebuild of a materialized view that computes its rows from those that it has, and from those that its sources have
 * gained and lost. It is planned before its transaction begins. When it finds then, or in its commit, that the view or
 * its sources have changed otherwise, it changes nothing and fails with TABLE_CHANGED.
 */
public final class IncrementalRebuild implements WriteSteps {
    private final Table view;
    private final Materialization content;
    private final ViewSnapshot snapshot;
    private final SourceChanges changes;
    private final MaterializedRows rows;
    private final StatementContext context;

    private IncrementalRebuild(
            Table view,
            Materialization content,
            ViewSnapshot snapshot,
            SourceChanges changes,
            MaterializedRows rows,
            StatementContext context) {
        this.view = view;
        this.content = content;
        this.snapshot = snapshot;
        this.changes = changes;
        this.rows = rows;
        this.context = context;
    }

    /**
     * Plans a rebuild.
     *
     * @param query the view's query, as the statement sees it
     * @return empty if the rows cannot be computed in this way
     */
    static Optional<IncrementalRebuild> of(
            Table view, List<Table> sources, AnalyzedQuery query, SyntaxNode statement, StatementContext context) {
        Optional<Materialization> content = view.materialization();
        Optional<ViewSnapshot> snapshot = content.flatMap(ViewSnapshot::of);
        if (snapshot.isEmpty()
                || !ViewTimeZone.isOf(view, context.settings().timeZone())
                || context.settings().rules().impersonates()
                || !ViewAlgebra.keepsValues(view, context.services().catalog())) {
            return Optional.empty();
        }
        SourceChanges changes =
                snapshot.get().changes(context.services().transactions().store());
        RelFactory factory = new RelFactory();
        return ViewAlgebra.repeatable(view, factory, context)
                .flatMap(algebra -> IncrementalRows.of(view, algebra, changes, factory))
                .map(increment -> {
                    Destination destination = Destination.ofView(view, increment.replaces(), statement);
                    MaterializedRows rows =
                            new MaterializedRows(view, sources, with(query, increment.rows()), destination, context);
                    return new IncrementalRebuild(view, content.orElseThrow(), snapshot.get(), changes, rows, context);
                });
    }

    /** Returns after which changes of its sources a view can be rebuilt in this way. */
    public static IncrementalRows.Scope scope(Table view, StatementContext context) {
        return ViewAlgebra.keepsValues(view, context.services().catalog())
                ? ViewAlgebra.repeatable(view, new RelFactory(), context)
                        .map(IncrementalRows::scope)
                        .orElse(IncrementalRows.Scope.NONE)
                : IncrementalRows.Scope.NONE;
    }

    private static AnalyzedQuery with(AnalyzedQuery query, RelNode rel) {
        return new AnalyzedQuery(rel, query.columns(), query.names(), query.inputs());
    }

    /** Returns why a run that has failed could not compute the rows in this way; empty if it failed otherwise. */
    static Optional<String> whyAllRows(SkepException failure) {
        if (IncrementalRows.isUnknownSum(failure)) {
            return Optional.of("the view does not count the values of a sum that has become 0");
        }
        return failure.code() == StandardErrorCode.TABLE_CHANGED
                ? Optional.ofNullable(failure.getMessage())
                : Optional.empty();
    }

    MaterializedRows rows() {
        return rows;
    }

    @Override
    public void listed() {
        TransactionScope scope = rows.writer().scope();
        if (!snapshot.hasOnly(
                changes, scope.transaction(), context.services().transactions().store())) {
            throw outdated("its tables have changed otherwise");
        }
    }

    /** The rows are right only beside those that the view had when the statement was planned. */
    @Override
    public void check() {
        context.services().catalog().invalidate(List.of(view));
        boolean isSame = context.catalog()
                .table(view.database(), view.name())
                .flatMap(Table::materialization)
                .filter(now -> now.sources().equals(content.sources())
                        && Objects.equals(now.writeIds(), content.writeIds())
                        && now.millis() == content.millis())
                .isPresent();
        if (!isSame) {
            throw outdated("another statement has filled it");
        }
    }

    private SkepException outdated(String why) {
        return new SkepException(
                StandardErrorCode.TABLE_CHANGED, "materialized view " + view.qualifiedName() + ": " + why);
    }

    @Override
    public void begin() {
        rows.begin();
    }

    @Override
    public void record() {
        rows.record();
    }
}
