package io.skep.ql.show;

import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.statement.StatementContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.common.ValidTxnWriteIdList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hive.common.util.TxnIdUtils;

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
                isOutdated(filled).map(outdated -> outdated ? "Yes" : "No").orElse("Unknown"));
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
    private Optional<Boolean> isOutdated(Optional<ValidTxnWriteIdList> filled) {
        List<String> sources = content.sources();
        boolean known = filled.isPresent()
                && sources.stream().allMatch(source -> filled.get().getTableValidWriteIdList(source) != null);
        if (!known) {
            return Optional.empty();
        }
        TransactionStore store = context.services().transactions().store();
        Map<String, ValidWriteIdList> now = store.validWriteIds(store.validTransactions(0), sources);
        return Optional.of(!sources.stream()
                .allMatch(source -> now.containsKey(source)
                        && TxnIdUtils.checkEquivalentWriteIds(
                                filled.get().getTableValidWriteIdList(source), now.get(source))));
    }
}
