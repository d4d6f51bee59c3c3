package io.skep.ql.show;

import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.ViewSnapshot;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.common.ValidTxnWriteIdList;

/** What DESCRIBE FORMATTED shows of a materialized view. */
final class MaterializedViewFacts {
    private final Materialization content;
    private final StatementContext context;

    private MaterializedViewFacts(Materialization content, StatementContext context) {
        this.content = content;
        this.context = context;
    }

    static void add(Table view, StatementContext context, DescribedRows rows) {
        rows.heading("# Materialized View Information");
        rows.fact("Original Query:", view.viewOriginalText().orElse(""));
        rows.fact("Expanded Query:", view.viewExpandedText().orElse(""));
        view.materialization().ifPresent(content -> new MaterializedViewFacts(content, context).add(rows));
    }

    private void add(DescribedRows rows) {
        Optional<ValidTxnWriteIdList> filled = content.writeIds().map(ValidTxnWriteIdList::fromValue);
        rows.fact("Rewrite Enabled:", content.rewriting() ? "Yes" : "No");
        rows.fact(
                "Outdated for Rewriting:",
                isOutdated().map(outdated -> outdated ? "Yes" : "No").orElse("Unknown"));
        rows.blank();
        rows.heading("# Materialized View Source table information");
        rows.fact("Table name", "Snapshot");
        for (String source : content.sources()) {
            String snapshot = filled.map(ids -> ids.getTableValidWriteIdList(source))
                    .map(ids -> ids.writeToString().substring(source.length()))
                    .orElse("N/A");
            rows.fact(source, snapshot);
        }
    }

    /** Whether a source has other rows by now. Unknown when a source does not tell. */
    private Optional<Boolean> isOutdated() {
        TransactionStore store = context.services().transactions().store();
        return ViewSnapshot.of(content).map(snapshot -> !snapshot.isOf(ViewSnapshot.now(List.of(snapshot), store)));
    }
}
