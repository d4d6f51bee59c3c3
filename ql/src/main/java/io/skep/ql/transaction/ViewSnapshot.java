package io.skep.ql.transaction;

import io.skep.metastore.Materialization;
import io.skep.metastore.transaction.TransactionStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hive.common.ValidTxnWriteIdList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hive.common.util.TxnIdUtils;

/** The write ids of a materialized view's sources whose rows the view contains. */
public final class ViewSnapshot {
    private final Map<String, ValidWriteIdList> sources;

    private ViewSnapshot(Map<String, ValidWriteIdList> sources) {
        this.sources = Map.copyOf(sources);
    }

    /** Empty if it is not recorded for all sources. */
    public static Optional<ViewSnapshot> of(Materialization content) {
        if (content.writeIds().isEmpty()) {
            return Optional.empty();
        }
        ValidTxnWriteIdList filled =
                ValidTxnWriteIdList.fromValue(content.writeIds().get());
        Map<String, ValidWriteIdList> sources = new HashMap<>();
        for (String source : content.sources()) {
            ValidWriteIdList ids = filled.getTableValidWriteIdList(source);
            if (ids == null) {
                return Optional.empty();
            }
            sources.put(source, ids);
        }
        return Optional.of(new ViewSnapshot(sources));
    }

    /** Returns the committed write ids of the sources of some views, as they are now. */
    public static Map<String, ValidWriteIdList> now(Collection<ViewSnapshot> views, TransactionStore store) {
        List<String> names =
                views.stream().flatMap(ViewSnapshot::sources).distinct().toList();
        return store.validWriteIds(store.validTransactions(0), names);
    }

    private Stream<String> sources() {
        return sources.keySet().stream();
    }

    /** Whether the view contains the rows that a statement sees. Its transaction has been begun for all sources. */
    public boolean isOf(StatementTransaction transaction) {
        return isOf(source -> Optional.of(transaction.snapshot(source)));
    }

    /** @param committed see {@link #now} */
    public boolean isOf(Map<String, ValidWriteIdList> committed) {
        return isOf(source -> Optional.ofNullable(committed.get(source)));
    }

    private boolean isOf(Function<String, Optional<ValidWriteIdList>> other) {
        return sources.entrySet().stream()
                .allMatch(source -> other.apply(source.getKey())
                        .filter(ids -> TxnIdUtils.checkEquivalentWriteIds(source.getValue(), ids))
                        .isPresent());
    }
}
