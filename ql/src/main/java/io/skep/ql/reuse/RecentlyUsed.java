package io.skep.ql.reuse;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Values by key, about as many as there is room for: when there are a quarter more, those used longest ago go. Finding one takes
 * no lock. Thread-safe.
 */
final class RecentlyUsed<K, V> {
    private final int capacity;
    private final Map<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final AtomicBoolean dropping = new AtomicBoolean();

    RecentlyUsed(int capacity) {
        this.capacity = capacity;
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
        entries.put(key, new Entry<>(value));
        drop();
    }

    /** The value that is there, or a new one. */
    V findOrMake(K key, Supplier<V> made) {
        V value =
                entries.computeIfAbsent(key, ignored -> new Entry<>(made.get())).use();
        drop();
        return value;
    }

    int size() {
        return entries.size();
    }

    private void drop() {
        if (entries.size() <= capacity + capacity / 4 || !dropping.compareAndSet(false, true)) {
            return;
        }
        try {
            record Age<K>(K key, long used) {}
            long now = System.nanoTime();
            List<Age<K>> oldest = entries.entrySet().stream()
                    .map(entry -> new Age<>(entry.getKey(), entry.getValue().used - now))
                    .sorted(Comparator.comparingLong(Age::used))
                    .toList();
            oldest.subList(0, Math.max(0, oldest.size() - capacity)).forEach(age -> entries.remove(age.key()));
        } finally {
            dropping.set(false);
        }
    }
}
