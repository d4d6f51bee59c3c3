package io.skep.metastore.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.HeapBytes;
import io.skep.metastore.Table;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The snapshots of all tables, bounded by their estimated weight. When they become too heavy, the least used ones are
 * evicted. A snapshot is weighed again each time it has loaded something. One that is heavier than the bound is not
 * kept. Versions outlive the snapshots: a table that is evicted and reloaded without a change keeps its version.
 * Clients may create and drop tables continuously. When there are too many versions, all tables get a new one.
 */
final class SnapshotStore {
    /** Versions may use one part in this number of the maximum weight. */
    private static final long VERSIONS_SHARE = 8;

    private static final long BYTES_VERSION = 120;

    private record Key(String database, String table) {}

    private final Catalog catalog;
    private final long maximumWeight;
    private final Cache<Key, TableSnapshot> snapshots;
    private final ConcurrentHashMap<Key, Long> versions = new ConcurrentHashMap<>();
    private final AtomicLong lastVersion = new AtomicLong();

    /** Held only for changes of versions. */
    private final ReentrantLock versioning = new ReentrantLock();

    /** The weight of the versions. */
    @GuardedBy("versioning")
    private long versionsWeight;

    /** The version of tables without an own version. */
    private volatile long baseVersion;

    SnapshotStore(Catalog catalog, long maximumWeight) {
        this.catalog = catalog;
        this.maximumWeight = maximumWeight;
        this.snapshots = Caffeine.newBuilder()
                .executor(Runnable::run)
                .maximumWeight(maximumWeight)
                .weigher((Key key, TableSnapshot snapshot) -> Math.clamp(snapshot.weight(), 0, Integer.MAX_VALUE))
                .recordStats()
                .build();
    }

    TableSnapshot get(String database, String table) {
        return snapshots.get(
                new Key(database, table),
                key -> new TableSnapshot(key.database(), key.table(), catalog, () -> weighAgain(key)));
    }

    private void weighAgain(Key key) {
        snapshots.asMap().computeIfPresent(key, (same, snapshot) -> snapshot);
    }

    long version(String database, String table) {
        // The own version is read first. If it was just removed, the base version that is read next is newer.
        Long own = versions.get(new Key(database, table));
        return own == null ? baseVersion : own;
    }

    /**
     * Drops the cached data of a table. The version changes last. A reader that gets the version before and the data
     * after has new data under an old version, which is harmless. Old data under a new version would not be. The
     * version changes first too, so that {@link #recorded} keeps nothing that this change may have replaced.
     */
    void drop(String database, String table) {
        Key key = new Key(database, table);
        changed(key);
        snapshots.invalidate(key);
        changed(key);
    }

    /** Returns the version of a table that a write is about to change. All changes that follow change it. */
    long begin(String database, String table) {
        changed(new Key(database, table));
        return version(database, table);
    }

    /**
     * Stores what a write has made of a table, with the statistics that it has written. If the table may have changed
     * since the write began, neither is kept, since they may be older than that change.
     *
     * @param before what {@link #begin} has returned
     */
    void recorded(Table table, List<ColumnStatistics> statistics, long before) {
        Key key = new Key(table.database(), table.name());
        snapshots.asMap().computeIfPresent(key, (same, snapshot) -> {
            boolean isLast = version(table.database(), table.name()) == before;
            // Of two writes that end at the same time, the second one must see the first one here.
            changed(same);
            return isLast ? snapshot.afterWrite(table, statistics) : snapshot.afterAlter(table.columns());
        });
        changed(key);
    }

    /** Replaces the cached data of a table. */
    void change(String database, String table, UnaryOperator<TableSnapshot> change) {
        Key key = new Key(database, table);
        changed(key);
        snapshots.asMap().computeIfPresent(key, (k, snapshot) -> change.apply(snapshot));
        changed(key);
    }

    void dropDatabase(String database) {
        for (Key key : snapshots.asMap().keySet()) {
            if (key.database().equals(database)) {
                drop(key.database(), key.table());
            }
        }
        for (Key key : versions.keySet()) {
            if (key.database().equals(database)) {
                drop(key.database(), key.table());
            }
        }
    }

    void dropAll() {
        changedAll();
        snapshots.invalidateAll();
        changedAll();
    }

    private void changedAll() {
        versioning.lock();
        try {
            changeAll();
        } finally {
            versioning.unlock();
        }
    }

    /** Returns the number of tables with an own version. */
    int versions() {
        return versions.size();
    }

    private void changed(Key key) {
        versioning.lock();
        try {
            if (versions.put(key, lastVersion.incrementAndGet()) == null) {
                versionsWeight += BYTES_VERSION + HeapBytes.of(key.database()) + HeapBytes.of(key.table());
                if (versionsWeight > maximumWeight / VERSIONS_SHARE) {
                    changeAll();
                }
            }
        } finally {
            versioning.unlock();
        }
    }

    @GuardedBy("versioning")
    private void changeAll() {
        baseVersion = lastVersion.incrementAndGet();
        versions.clear();
        versionsWeight = 0;
    }

    CacheStats stats() {
        long weight = snapshots.policy().eviction().orElseThrow().weightedSize().orElseThrow();
        var lookups = snapshots.stats();
        return new CacheStats(
                snapshots.estimatedSize(), weight, maximumWeight, lookups.hitCount(), lookups.missCount());
    }
}
