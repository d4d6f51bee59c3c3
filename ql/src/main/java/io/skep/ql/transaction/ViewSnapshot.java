package io.skep.ql.transaction;

import io.skep.metastore.Materialization;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.metastore.transaction.TransactionStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hive.common.ValidTxnWriteIdList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hive.common.util.TxnIdUtils;

/** The write ids of a materialized view's sources whose rows the view contains. */
public final class ViewSnapshot {
    /** More changes than these are not looked at one by one. */
    private static final int MAX_UNSEEN = 10_000;

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

    /**
     * Returns the sources that have other rows by now, with what the view contains of them.
     *
     * @param committed see {@link #now}
     * @return by name with the database
     */
    public Map<String, SeenWriteIds> changed(Map<String, ValidWriteIdList> committed) {
        Map<String, SeenWriteIds> changed = new TreeMap<>();
        sources.forEach((source, ids) -> {
            ValidWriteIdList other = committed.get(source);
            if (other == null || !TxnIdUtils.checkEquivalentWriteIds(ids, other)) {
                changed.put(source, SeenWriteIds.of(ids));
            }
        });
        return changed;
    }

    /**
     * Whether all rows of the view are still those of the sources that a transaction sees, and the sources have only
     * got further rows: nothing was updated, deleted, replaced or dropped, as far as the metastore's records tell for
     * certain.
     *
     * @param grown the only sources that may have further rows, as {@link #changed} returned them
     */
    public boolean hasOnlyGrown(
            Map<String, SeenWriteIds> grown, StatementTransaction transaction, TransactionStore store) {
        return sources.entrySet().stream()
                .allMatch(source -> grown.containsKey(source.getKey())
                        ? hasOnlyInserts(source.getKey(), source.getValue(), transaction, store)
                        : TxnIdUtils.checkEquivalentWriteIds(source.getValue(), transaction.snapshot(source.getKey())));
    }

    private static boolean hasOnlyInserts(
            String source, ValidWriteIdList filled, StatementTransaction transaction, TransactionStore store) {
        SeenWriteIds seen = SeenWriteIds.of(filled);
        Optional<List<Long>> unseen = seen.unseen(transaction.snapshot(source), MAX_UNSEEN);
        if (unseen.isEmpty()) {
            return false;
        }
        int dot = source.indexOf('.');
        // Hive gives all rows the last write id when it rebalances with an order, so old rows would pass for new ones.
        CompactionFilter ofSource =
                CompactionFilter.of(source.substring(0, dot), source.substring(dot + 1), Optional.empty());
        if (store.compactions(ofSource).stream()
                .anyMatch(one -> one.kind().equals(CompactionKind.REBALANCE.name())
                        && one.highestWriteId().orElse(0) >= seen.firstUnseen())) {
            return false;
        }
        // Transactions that the statement does not see have committed too, and are among the changes.
        Map<Long, Boolean> changes = store.committedChanges(
                source.substring(0, dot), source.substring(dot + 1), seen.firstUnseen() - 1, 2 * MAX_UNSEEN);
        return unseen.get().stream().allMatch(writeId -> Boolean.FALSE.equals(changes.get(writeId)));
    }

    private boolean isOf(Function<String, Optional<ValidWriteIdList>> other) {
        return sources.entrySet().stream()
                .allMatch(source -> other.apply(source.getKey())
                        .filter(ids -> TxnIdUtils.checkEquivalentWriteIds(source.getValue(), ids))
                        .isPresent());
    }
}
