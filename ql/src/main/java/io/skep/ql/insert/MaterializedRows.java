package io.skep.ql.insert;

import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.hive.common.ValidTxnWriteIdList;

/**
 * Writes all rows of a materialized view. The view records the write ids of its sources that the rows come from, in the
 * commit of the rows. A server that is killed between both leaves a view with new rows and old write ids, which counts
 * as outdated.
 */
public final class MaterializedRows {
    private final Table view;
    private final List<Table> sources;
    private final TableWriter writer;
    private final long began;
    private final StatementContext context;

    private MaterializedRows(Table view, List<Table> sources, TableWriter writer, StatementContext context) {
        this.view = view;
        this.sources = sources;
        this.writer = writer;
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
        MaterializedRows rows =
                new MaterializedRows(view, sources, InsertPlanning.plan(destination, query, context), context);
        return WriteStatement.creating(
                "CREATE_MATERIALIZED_VIEW",
                rows.writer,
                query,
                commit -> TableCreation.of(rows.creation(commit, create)),
                context);
    }

    /** Replaces all rows of a view by those that its query has now. */
    public static SqlStatement rebuild(
            Table view, List<Table> sources, AnalyzedQuery query, SyntaxNode statement, StatementContext context) {
        Destination destination = Destination.ofView(view, true, statement);
        MaterializedRows rows =
                new MaterializedRows(view, sources, InsertPlanning.plan(destination, query, context), context);
        return WriteStatement.writing(
                "ALTER_MATERIALIZED_VIEW_REBUILD", List.of(rows.writer), query, rows::recordRebuild, context);
    }

    private CommitRequest.Created creation(String commit, Consumer<Table> create) {
        Map<String, String> properties = new TreeMap<>(view.properties());
        properties.put(CommitRequest.CREATED_BY, commit);
        Table marked = view.withProperties(properties);
        return new CommitRequest.Created(marked, () -> create.accept(filled(marked)));
    }

    private void recordRebuild() {
        Table now = context.catalog().table(view.database(), view.name()).orElse(view);
        TableStore.replace(now, filled(now), false, context);
    }

    private Table filled(Table now) {
        boolean rewriting =
                now.materialization().map(Materialization::rewriting).orElse(false);
        return now.withMaterialization(new Materialization(
                sources.stream().map(Table::qualifiedName).sorted().toList(), writeIds(), began, rewriting));
    }

    private Optional<String> writeIds() {
        List<Table> transactional =
                sources.stream().filter(Table::isTransactional).toList();
        if (transactional.isEmpty()) {
            return Optional.empty();
        }
        ValidTxnWriteIdList all =
                new ValidTxnWriteIdList(writer.scope().transaction().id());
        transactional.forEach(source ->
                all.addTableValidWriteIdList(writer.scope().transaction().snapshot(source)));
        return Optional.of(all.toString());
    }
}
