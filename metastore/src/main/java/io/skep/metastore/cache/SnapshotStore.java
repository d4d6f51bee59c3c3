package io.skep.metastore.cache;

import io.skep.metastore.Catalog;
import io.skep.metastore.HeapBytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The snapshots of all tables, bounded by their estimated weight. When they become too heavy, the least recently used
 * ones are evicted. Versions outlive the snapshots: a table that is evicted and reloaded without a change keeps its
 * version. Clients may create and drop tables continuously. When there are too many versions, all tables get a new one.
 */
final class SnapshotStore {
    /** The percentage of the bound that remains after an eviction. */
    private static final long LEFT_PERCENT = 90;

    /** Versions may use one part in this number of the maximum weight. */
    private static final long VERSIONS_SHARE = 8;

    private static final long BYTES_VERSION = 120;

    private record Key(String database, String table) {}

    private final Catalog catalog;
    private final long maximumWeight;
    private final ConcurrentHashMap<Key, TableSnapshot> snapshots = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Key, Long> versions = new ConcurrentHashMap<>();
    private final AtomicLong lastVersion = new AtomicLong();
    private final AtomicLong clock = new AtomicLong();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final ReentrantLock evicting = new ReentrantLock();

    /** Held only for changes of versions. */
    private final ReentrantLock versioning = new ReentrantLock();

    /** The weight of the versions. Guarded by the lock. */
    private long versionsWeight;

    /** The version of tables without an own version. */
    private volatile long baseVersion;

    SnapshotStore(Catalog catalog, long maximumWeight) {
        this.catalog = catalog;
        this.maximumWeight = maximumWeight;
    }

    TableSnapshot get(String database, String table) {
        Key key = new Key(database, table);
        TableSnapshot snapshot = snapshots.get(key);
        if (snapshot == null) {
            misses.increment();
            evict();
            snapshot = snapshots.computeIfAbsent(key, k -> new TableSnapshot(database, table, catalog));
        } else {
            hits.increment();
        }
        snapshot.use(clock.incrementAndGet());
        return snapshot;
    }

    long version(String database, String table) {
        // The own version is read first. If it was just removed, the base version that is read next is newer.
        Long own = versions.get(new Key(database, table));
        return own == null ? baseVersion : own;
    }

    /**
     * Drops the cached data of a table. The version changes last. A reader that gets the version before and the data
     * after has new data under an old version, which is harmless. Old data under a new version would not be.
     */
    void drop(String database, String table) {
        Key key = new Key(database, table);
        snapshots.remove(key);
        changed(key);
    }

    /** Replaces the cached data of a table. */
    void change(String database, String table, UnaryOperator<TableSnapshot> change) {
        Key key = new Key(database, table);
        snapshots.computeIfPresent(key, (k, snapshot) -> change.apply(snapshot));
        changed(key);
    }

    void dropDatabase(String database) {
        for (Key key : snapshots.keySet()) {
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
        snapshots.clear();
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

    private void changeAll() {
        baseVersion = lastVersion.incrementAndGet();
        versions.clear();
        versionsWeight = 0;
    }

    long weight() {
        long weight = 0;
        for (TableSnapshot snapshot : snapshots.values()) {
            weight += snapshot.weight();
        }
        return weight;
    }

    CacheStats figures() {
        return new CacheStats(snapshots.size(), weight(), maximumWeight, hits.sum(), misses.sum());
    }

    /** Evicts in one thread. Other threads continue without waiting. */
    private void evict() {
        long weight = weight();
        if (weight <= maximumWeight || !evicting.tryLock()) {
            return;
        }
        try {
            List<Candidate> candidates = new ArrayList<>();
            snapshots.forEach((key, snapshot) -> candidates.add(new Candidate(key, snapshot, snapshot.lastUse())));
            candidates.sort(Comparator.comparingLong(Candidate::lastUse));
            long left = maximumWeight * LEFT_PERCENT / 100;
            for (Candidate candidate : candidates) {
                if (weight <= left) {
                    return;
                }
                if (snapshots.remove(candidate.key(), candidate.snapshot())) {
                    weight -= candidate.snapshot().weight();
                }
            }
        } finally {
            evicting.unlock();
        }
    }

    private record Candidate(Key key, TableSnapshot snapshot, long lastUse) {}
}
