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
 * The snapshots of all tables, bounded by their estimated weight: when they get too heavy, those that were not used for
 * the longest time go. Versions outlive the snapshots: a table that was evicted and came back unchanged has its version
 * still. When there are too many of them, as where clients make and drop tables all the time, all tables get another
 * one.
 */
final class SnapshotStore {
    /** How much of the bound is left after an eviction, in percent. */
    private static final long LEFT_PERCENT = 90;

    /** What versions take may be this part of the whole. */
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

    /** Held for changes of versions, never for anything else. */
    private final ReentrantLock versioning = new ReentrantLock();

    /** What they weigh. Guarded by the lock. */
    private long versionsWeight;

    /** The version of tables that were not changed by themselves. */
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
        // Looked at first: when it has just been taken away, the other one is later.
        Long own = versions.get(new Key(database, table));
        return own == null ? baseVersion : own;
    }

    /**
     * Forgets a table. The version changes last: who asked for it before and reads after has new data under an old
     * version, which does no harm; the other way round would.
     */
    void drop(String database, String table) {
        Key key = new Key(database, table);
        snapshots.remove(key);
        changed(key);
    }

    /** Replaces what is known of a table. */
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

    /** How many tables have a version of their own. */
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

    /** One thread evicts; the others go on. */
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
