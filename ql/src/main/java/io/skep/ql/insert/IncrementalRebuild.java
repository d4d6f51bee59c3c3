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
import io.skep.ql.transaction.SeenWriteIds;
import io.skep.ql.transaction.TransactionScope;
import io.skep.ql.transaction.ViewSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/**
 * A rebuild of a materialized view that computes its rows from those that it has, and from those that its sources have
 * gained. It is planned before its transaction begins. When it finds then, or in its commit, that the view or its
 * sources have changed otherwise, it changes nothing and fails with TABLE_CHANGED.
 */
public final class IncrementalRebuild implements WriteSteps {
    private final Table view;
    private final Materialization content;
    private final ViewSnapshot snapshot;
    private final Map<String, SeenWriteIds> grown;
    private final MaterializedRows rows;
    private final StatementContext context;

    private IncrementalRebuild(
            Table view,
            Materialization content,
            ViewSnapshot snapshot,
            Map<String, SeenWriteIds> grown,
            MaterializedRows rows,
            StatementContext context) {
        this.view = view;
        this.content = content;
        this.snapshot = snapshot;
        this.grown = grown;
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
        Map<String, SeenWriteIds> grown = snapshot.get()
                .changed(ViewSnapshot.now(
                        List.of(snapshot.get()),
                        context.services().transactions().store()));
        RelFactory factory = new RelFactory();
        return ViewAlgebra.repeatable(view, factory, context)
                .flatMap(algebra -> IncrementalRows.of(view, algebra, grown, factory))
                .map(increment -> {
                    Destination destination = Destination.ofView(view, increment.replaces(), statement);
                    MaterializedRows rows =
                            new MaterializedRows(view, sources, with(query, increment.rows()), destination, context);
                    return new IncrementalRebuild(view, content.orElseThrow(), snapshot.get(), grown, rows, context);
                });
    }

    /** Whether a view can be rebuilt in this way when its sources have got further rows. */
    public static boolean isAvailable(Table view, StatementContext context) {
        return ViewAlgebra.keepsValues(view, context.services().catalog())
                && ViewAlgebra.repeatable(view, new RelFactory(), context)
                        .filter(IncrementalRows::isDerivable)
                        .isPresent();
    }

    private static AnalyzedQuery with(AnalyzedQuery query, RelNode rel) {
        return new AnalyzedQuery(rel, query.columns(), query.names(), query.inputs());
    }

    MaterializedRows rows() {
        return rows;
    }

    @Override
    public void listed() {
        TransactionScope scope = rows.writer().scope();
        if (!snapshot.hasOnlyGrown(
                grown, scope.transaction(), context.services().transactions().store())) {
            throw outdated("rows of its tables were changed or removed");
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
