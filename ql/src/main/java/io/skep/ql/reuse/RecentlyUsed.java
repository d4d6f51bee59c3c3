package io.skep.ql.reuse;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Values by key, about as many and as heavy together as there is room for: when there is a quarter more, those used longest ago
 * go. What alone weighs more than a sixteenth of the whole is not kept. Finding one takes no lock. Thread-safe.
 */
final class RecentlyUsed<K, V> {
    private static final int LARGEST_SHARE = 16;

    private final int capacity;
    private final long maxWeight;
    private final ToLongFunction<K> weigher;
    private final AtomicLong weight = new AtomicLong();
    private final Map<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final AtomicBoolean dropping = new AtomicBoolean();

    RecentlyUsed(int capacity) {
        this(capacity, Long.MAX_VALUE, key -> 0);
    }

    /** @param weigher what an entry weighs, by its key alone; the same for equal keys */
    RecentlyUsed(int capacity, long maxWeight, ToLongFunction<K> weigher) {
        this.capacity = capacity;
        this.maxWeight = maxWeight;
        this.weigher = weigher;
    }

    private static final class Entry<V> {
        private final V value;
        private volatile long used = System.nanoTime();

        private Entry(V value) {
            this.value = value;
        }

        private V use() {
            used = System.nanoTime();
            return value;
        }
    }

    Optional<V> find(K key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::use);
    }

    void put(K key, V value) {
        long heavy = weigher.applyAsLong(key);
        if (heavy > maxWeight / LARGEST_SHARE) {
            return;
        }
        if (entries.put(key, new Entry<>(value)) == null) {
            weight.addAndGet(heavy);
        }
        drop();
    }

    /** The value that is there, or a new one. */
    V findOrMake(K key, Supplier<V> made) {
        long heavy = weigher.applyAsLong(key);
        if (heavy > maxWeight / LARGEST_SHARE) {
            return made.get();
        }
        Entry<V> entry = entries.computeIfAbsent(key, ignored -> {
            weight.addAndGet(heavy);
            return new Entry<>(made.get());
        });
        V value = entry.use();
        drop();
        return value;
    }

    int size() {
        return entries.size();
    }

    long weight() {
        return weight.get();
    }

    private void drop() {
        boolean fits = entries.size() <= capacity + capacity / 4 && weight.get() - maxWeight / 4 <= maxWeight;
        if (fits || !dropping.compareAndSet(false, true)) {
            return;
        }
        try {
            record Age<K>(K key, long used) {}
            long now = System.nanoTime();
            List<Age<K>> oldest = entries.entrySet().stream()
                    .map(entry -> new Age<>(entry.getKey(), entry.getValue().used - now))
                    .sorted(Comparator.comparingLong(Age::used))
                    .toList();
            int left = oldest.size();
            for (Age<K> age : oldest) {
                if (left <= capacity && weight.get() <= maxWeight) {
                    break;
                }
                if (entries.remove(age.key()) != null) {
                    weight.addAndGet(-weigher.applyAsLong(age.key()));
                }
                left--;
            }
        } finally {
            dropping.set(false);
        }
    }
}
