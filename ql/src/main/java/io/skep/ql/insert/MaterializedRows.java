package io.skep.ql.insert;

import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.ViewTimeZone;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.hive.common.ValidTxnWriteIdList;

/**
 * Writes rows of a materialized view. The view records the write ids of its sources that the rows come from, at the end
 * of the commit of the rows, while no other statement can replace them. Earlier write ids are removed before the rows
 * become visible: a server that is killed between both leaves a view with new rows and no write ids. It counts as
 * outdated, and its next rebuild computes all rows.
 */
public final class MaterializedRows implements WriteSteps {
    private final Table view;
    private final List<Table> sources;
    private final boolean areWhole;
    private final TableWriter writer;
    private final long began;
    private final StatementContext context;

    MaterializedRows(
            Table view, List<Table> sources, AnalyzedQuery query, Destination destination, StatementContext context) {
        this.view = view;
        this.sources = sources;
        this.areWhole = query.inputs().stream().allMatch(input -> isWhole(input, context));
        this.writer = InsertPlanning.plan(destination, query, context);
        this.began = context.services().clock().millis();
        this.context = context;
        writer.scope()
                .use(sources.stream()
                        .filter(Table::isTransactional)
                        .map(source -> TableUse.of(source, TableAccess.READ))
                        .toList());
    }

    /**
     * Creates a view with its rows.
     *
     * @param query has the columns of the view in their order
     * @param create creates the view in the catalog
     */
    public static SqlStatement create(
            Table view,
            List<Table> sources,
            AnalyzedQuery query,
            SyntaxNode statement,
            Consumer<Table> create,
            StatementContext context) {
        Destination destination = Destination.ofView(view, false, statement);
        MaterializedRows rows = new MaterializedRows(view, sources, query, destination, context);
        return WriteStatement.creating(
                "CREATE_MATERIALIZED_VIEW",
                rows.writer,
                query,
                commit -> TableCreation.of(rows.creation(commit, create)),
                rows,
                context);
    }

    TableWriter writer() {
        return writer;
    }

    /** Whether the statement sees all rows and values of its sources, which no row filter or mask changes. */
    boolean areWhole() {
        return areWhole;
    }

    /** Whether the statement sees all rows and values of a table or view. */
    private static boolean isWhole(String input, StatementContext context) {
        int dot = input.indexOf('.');
        return context.catalog()
                .table(input.substring(0, dot), input.substring(dot + 1))
                .filter(found -> context.access().policies().of(found).isEmpty())
                .isPresent();
    }

    private CommitRequest.Created creation(String commit, Consumer<Table> create) {
        Map<String, String> properties = new TreeMap<>(view.properties());
        properties.put(CommitRequest.CREATED_BY, commit);
        Table marked = view.withProperties(properties);
        return new CommitRequest.Created(marked, () -> create.accept(filled(marked, Optional.empty())));
    }

    /** Nothing is known of the rows until the commit is complete. */
    @Override
    public void begin() {
        now().ifPresent(now -> now.materialization()
                .filter(content -> content.writeIds().isPresent())
                .ifPresent(content ->
                        TableStore.replace(now, now.withMaterialization(content.withoutWriteIds()), false, context)));
    }

    @Override
    public void record() {
        now().ifPresent(now -> TableStore.replace(now, filled(now, writeIds()), false, context));
    }

    private Optional<Table> now() {
        return context.catalog().table(view.database(), view.name());
    }

    private Table filled(Table now, Optional<String> writeIds) {
        boolean rewriting =
                now.materialization().map(Materialization::rewriting).orElse(false);
        return now.withMaterialization(new Materialization(
                        sources.stream().map(Table::qualifiedName).sorted().toList(), writeIds, began, rewriting))
                .withProperties(ViewTimeZone.recorded(
                        now.properties(), context.settings().timeZone()));
    }

    /** Rows that a row filter or a mask has changed are those of no snapshot. */
    private Optional<String> writeIds() {
        List<Table> transactional =
                sources.stream().filter(Table::isTransactional).toList();
        if (transactional.isEmpty() || !areWhole) {
            return Optional.empty();
        }
        ValidTxnWriteIdList all =
                new ValidTxnWriteIdList(writer.scope().transaction().id());
        transactional.forEach(source ->
                all.addTableValidWriteIdList(writer.scope().transaction().snapshot(source)));
        return Optional.of(all.toString());
    }
}
