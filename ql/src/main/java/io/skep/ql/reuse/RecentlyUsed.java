package io.skep.ql.reuse;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A cache of values by key with bounds on number and total weight. When a bound is exceeded by a quarter, the least
 * recently used values are evicted. An entry that weighs more than a sixteenth of the total is not kept. Values may
 * also hold resources whose weight varies and has its own bound. Beyond it, the least recently used values are evicted
 * with all that they hold. Lookup needs no lock. Thread-safe.
 */
final class RecentlyUsed<K, V> {
    private static final int LARGEST_SHARE = 16;

    private final int capacity;
    private final long maxWeight;
    private final ToLongFunction<K> weigher;
    private final Held<V> held;
    private final AtomicLong weight = new AtomicLong();
    private final Map<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final AtomicBoolean dropping = new AtomicBoolean();

    RecentlyUsed(int capacity) {
        this(capacity, Long.MAX_VALUE, key -> 0);
    }

    /** @param weigher returns the weight of an entry from its key alone; the same for equal keys */
    RecentlyUsed(int capacity, long maxWeight, ToLongFunction<K> weigher) {
        this(capacity, maxWeight, weigher, new Held<>(() -> 0, Long.MAX_VALUE, value -> {}));
    }

    RecentlyUsed(int capacity, long maxWeight, ToLongFunction<K> weigher, Held<V> held) {
        this.capacity = capacity;
        this.maxWeight = maxWeight;
        this.weigher = weigher;
        this.held = held;
    }

    /**
     * The resources that values hold.
     *
     * @param weight the current weight of the resources of all values
     * @param most the upper bound of that weight
     * @param dropped releases the resources of an evicted value
     */
    record Held<V>(LongSupplier weight, long most, Consumer<V> dropped) {
        private boolean fits() {
            return weight.getAsLong() <= most;
        }
    }

    /** Whether a value with this key can be kept. */
    boolean mayKeep(K key) {
        return weigher.applyAsLong(key) <= maxWeight / LARGEST_SHARE;
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

    /** Returns the existing value, or a new one. */
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

    /** Evicts entries if a bound is exceeded. */
    void drop() {
        boolean fits =
                held.fits() && entries.size() <= capacity + capacity / 4 && weight.get() - maxWeight / 4 <= maxWeight;
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
                if (left <= capacity && weight.get() <= maxWeight && held.fits()) {
                    break;
                }
                Entry<V> dropped = entries.remove(age.key());
                if (dropped != null) {
                    weight.addAndGet(-weigher.applyAsLong(age.key()));
                    held.dropped().accept(dropped.value);
                }
                left--;
            }
        } finally {
            dropping.set(false);
        }
    }
}
