package io.skep.ql.transaction;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The last snapshot of each table that a statement has read. A snapshot that differs may come with partitions that the
 * server does not know yet, since another engine may have added them with its rows. Thread-safe.
 */
final class SeenSnapshots {
    private static final long MAX_BYTES = 8 << 20;
    private static final int ENTRY_BYTES = 160;

    private final Cache<String, String> seen = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((String table, String snapshot) -> ENTRY_BYTES + 2 * (table.length() + snapshot.length()))
            .build();

    /**
     * Refreshes the tables whose snapshots differ from the last ones. Snapshots are remembered afterwards, so that no
     * other statement relies on a refresh that has not ended or has failed.
     */
    void refresh(StatementTransaction transaction, Collection<Table> tables, Consumer<Collection<Table>> refresh) {
        Map<String, String> snapshots = new HashMap<>();
        List<Table> changed = new ArrayList<>();
        for (Table table : tables) {
            String now = table.id() + ":" + transaction.snapshot(table).writeToString();
            if (!now.equals(seen.getIfPresent(table.qualifiedName()))) {
                snapshots.put(table.qualifiedName(), now);
                changed.add(table);
            }
        }
        if (!changed.isEmpty()) {
            refresh.accept(changed);
            seen.putAll(snapshots);
        }
    }
}
