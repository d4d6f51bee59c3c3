package io.skep.ql.query;

import io.skep.common.error.SkepException;
import io.skep.metastore.Catalog;
import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.optimize.MaterializedViewScan;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.ViewTimeZone;
import io.skep.ql.transaction.ViewSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hadoop.hive.conf.HiveConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the materialized views that may answer a query. */
final class FreshViews {
    private static final Logger LOG = LoggerFactory.getLogger(FreshViews.class);
    private static final String REWRITING = "hive.materializedview.rewriting";
    private static final String TIME_WINDOW = "hive.materializedview.rewriting.time.window";

    /** The property of a view that takes the place of the session's time window. */
    private static final String TIME_WINDOW_OF_VIEW = "rewriting.time.window";

    private final StatementContext context;
    private final Catalog catalog;

    FreshViews(StatementContext context) {
        this.context = context;
        this.catalog = context.services().catalog();
    }

    /** Whether there are views over some of the tables, whose rows may be old. This reads only what is cached. */
    boolean mayAnswer(Set<String> tables) {
        return isOn() && !named(tables).isEmpty();
    }

    /** Users whose files are read as their own may not be able to read those of a view. */
    private boolean isOn() {
        SessionSettings settings = context.settings();
        return settings.getBoolean(REWRITING) && !settings.rules().impersonates();
    }

    /** A query whose tables are cached does not fail when the database does not answer. */
    private List<String> named(Set<String> tables) {
        if (tables.isEmpty()) {
            return List.of();
        }
        try {
            return catalog.rewritingViews().entrySet().stream()
                    .filter(view -> !Collections.disjoint(view.getValue(), tables))
                    .map(Map.Entry::getKey)
                    .toList();
        } catch (SkepException e) {
            LOG.warn("queries are not answered from materialized views: {}", e.fullMessage());
            return List.of();
        }
    }

    /** Returns the views that contain the rows of their sources as they are now, or as old ones as are allowed. */
    List<FreshView> of(AnalyzedQuery query) {
        return fresh(known(query));
    }

    /** Returns the views that contain the rows of their sources as they are now. */
    List<FreshView> current(AnalyzedQuery query) {
        return fresh(known(query).stream().map(FreshView::untimed).toList());
    }

    private List<FreshView> known(AnalyzedQuery query) {
        return isOn()
                ? named(query.inputs()).stream()
                        .flatMap(name -> known(name).stream())
                        .toList()
                : List.of();
    }

    private List<FreshView> fresh(List<FreshView> known) {
        if (known.stream().allMatch(FreshView::isTimed)) {
            return known;
        }
        Map<String, ValidWriteIdList> now = now(known);
        return known.stream()
                .filter(view -> view.isTimed() || view.content().isOf(now))
                .toList();
    }

    /** Returns the committed write ids of the sources of some views. */
    Map<String, ValidWriteIdList> now(Collection<FreshView> views) {
        return ViewSnapshot.now(
                views.stream().map(FreshView::content).toList(),
                context.services().transactions().store());
    }

    /** Returns a view if it is known which rows it contains. */
    private Optional<FreshView> known(String name) {
        return table(name)
                .filter(view ->
                        view.kind() == Table.TableKind.MATERIALIZED_VIEW && ViewAlgebra.keepsValues(view, catalog))
                .filter(view -> ViewTimeZone.isOf(view, context.settings().timeZone()))
                .flatMap(view -> view.materialization()
                        .filter(Materialization::rewriting)
                        .flatMap(content -> known(view, content)));
    }

    private Optional<FreshView> known(Table view, Materialization content) {
        List<Table> sources = new ArrayList<>();
        for (String name : content.sources()) {
            Optional<Table> source = table(name).filter(Table::isTransactional);
            if (source.isEmpty() || isHidden(source.get())) {
                return Optional.empty();
            }
            sources.add(source.get());
        }
        return ViewSnapshot.of(content)
                .map(snapshot -> new FreshView(view, sources, snapshot, isWithinWindow(view, content)));
    }

    private Optional<Table> table(String name) {
        int dot = name.indexOf('.');
        return catalog.table(name.substring(0, dot), name.substring(dot + 1));
    }

    /** Whether the session has a temporary table of the same name. */
    private boolean isHidden(Table source) {
        return context.session()
                .temporaryTables()
                .get(source.database(), source.name())
                .isPresent();
    }

    private boolean isWithinWindow(Table view, Materialization content) {
        String text = Optional.ofNullable(view.properties().get(TIME_WINDOW_OF_VIEW))
                .or(() -> context.settings().get(TIME_WINDOW))
                .orElse("0");
        try {
            long window = HiveConf.toTime(text, TimeUnit.MINUTES, TimeUnit.MILLISECONDS);
            return window < 0
                    || window > 0
                            && content.millis() >= context.services().clock().millis() - window;
        } catch (IllegalArgumentException e) {
            LOG.warn("{} has no time window '{}': {}", view.qualifiedName(), text, e.getMessage());
            return false;
        }
    }

    /** Returns the views as the optimizer needs them. A view of which it is not known what it contains is left out. */
    List<MaterializedViewScan> scans(List<FreshView> views, RelFactory factory) {
        return views.stream()
                .map(FreshView::view)
                .flatMap(view -> ViewAlgebra.repeatable(view, factory, context)
                        .map(query -> MaterializedViewScan.of(view, query, factory))
                        .stream())
                .toList();
    }
}
