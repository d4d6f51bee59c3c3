package io.skep.ql.transaction;

import io.skep.metastore.Materialization;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.storage.acid.SeenWriteIds;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

    /** Returns what has happened to the sources by now, as far as the metastore's records tell. */
    public SourceChanges changes(TransactionStore store) {
        Map<String, ValidWriteIdList> committed = now(List.of(this), store);
        Map<String, SeenWriteIds> changed = new TreeMap<>();
        Set<String> shrunk = new TreeSet<>();
        sources.forEach((source, ids) -> {
            ValidWriteIdList other = committed.get(source);
            if (other == null || !TxnIdUtils.checkEquivalentWriteIds(ids, other)) {
                SeenWriteIds seen = SeenWriteIds.of(ids);
                changed.put(source, seen);
                if (changes(source, seen, store).entrySet().stream()
                        .anyMatch(change -> !seen.contains(change.getKey()) && change.getValue())) {
                    shrunk.add(source);
                }
            }
        });
        return new SourceChanges(changed, shrunk);
    }

    /** Transactions that a statement does not see have committed too, and are among the changes. */
    private static Map<Long, Boolean> changes(String source, SeenWriteIds seen, TransactionStore store) {
        int dot = source.indexOf('.');
        return store.committedChanges(
                source.substring(0, dot), source.substring(dot + 1), seen.firstUnseen() - 1, 2 * MAX_UNSEEN);
    }

    /**
     * Whether nothing but some changes has happened to the sources that a transaction sees, as far as the metastore's
     * records tell for certain: other sources are the same, and rows were inserted only, except for the sources that
     * may have shrunk. In those, rows were also updated, deleted or replaced.
     */
    public boolean hasOnly(SourceChanges changes, StatementTransaction transaction, TransactionStore store) {
        return sources.entrySet().stream().allMatch(source -> {
            String name = source.getKey();
            ValidWriteIdList visible = transaction.snapshot(name);
            return changes.changed().containsKey(name)
                    ? isRecorded(name, source.getValue(), changes.shrunk().contains(name), visible, store)
                    : TxnIdUtils.checkEquivalentWriteIds(source.getValue(), visible);
        });
    }

    private static boolean isRecorded(
            String source,
            ValidWriteIdList filled,
            boolean mayShrink,
            ValidWriteIdList visible,
            TransactionStore store) {
        SeenWriteIds seen = SeenWriteIds.of(filled);
        Optional<List<Long>> unseen = seen.unseen(visible, MAX_UNSEEN);
        if (unseen.isEmpty() || isRebalanced(source, seen, store)) {
            return false;
        }
        Map<Long, Boolean> changes = changes(source, seen, store);
        return unseen.get().stream().allMatch(writeId -> {
            Boolean removes = changes.get(writeId);
            return removes != null && (mayShrink || !removes);
        });
    }

    /** Hive gives all rows the last write id when it rebalances with an order, so old rows would pass for new ones. */
    private static boolean isRebalanced(String source, SeenWriteIds seen, TransactionStore store) {
        int dot = source.indexOf('.');
        CompactionFilter ofSource =
                CompactionFilter.of(source.substring(0, dot), source.substring(dot + 1), Optional.empty());
        return store.compactions(ofSource).stream()
                .anyMatch(one -> one.kind().equals(CompactionKind.REBALANCE.name())
                        && one.highestWriteId().orElse(0) >= seen.firstUnseen());
    }

    private boolean isOf(Function<String, Optional<ValidWriteIdList>> other) {
        return sources.entrySet().stream()
                .allMatch(source -> other.apply(source.getKey())
                        .filter(ids -> TxnIdUtils.checkEquivalentWriteIds(source.getValue(), ids))
                        .isPresent());
    }
}
