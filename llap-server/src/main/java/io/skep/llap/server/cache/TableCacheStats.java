package io.skep.llap.server.cache;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a table's share in the cache. Thread-safe. */
public final class TableCacheStats {
    final LongAdder hits = new LongAdder();
    final LongAdder secondTierHits = new LongAdder();
    final LongAdder evictions = new LongAdder();
    final LongAdder bypasses = new LongAdder();
    final LongAdder bytes = new LongAdder();
    private final Map<MissCause, LongAdder> misses = new EnumMap<>(MissCause.class);

    TableCacheStats() {
        for (MissCause cause : MissCause.values()) {
            misses.put(cause, new LongAdder());
        }
    }

    /**
     * The values of the counters at one point in time.
     *
     * @param missCauses misses by cause; causes without misses are left out
     * @param secondTierHits misses that were found in the second tier
     * @param bypasses chunks that were not stored
     * @param bytes encoded bytes in the cache at present
     */
    public record Snapshot(
            long hits,
            Map<MissCause, Long> missCauses,
            long secondTierHits,
            long evictions,
            long bypasses,
            long bytes) {
        public Snapshot {
            missCauses = missCauses.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(missCauses));
        }

        public long misses() {
            return missCauses.values().stream().mapToLong(Long::longValue).sum();
        }

        public long misses(MissCause cause) {
            return missCauses.getOrDefault(cause, 0L);
        }
    }

    void missed(MissCause cause) {
        LongAdder counter = misses.get(cause);
        if (counter != null) {
            counter.increment();
        }
    }

    Snapshot snapshot() {
        Map<MissCause, Long> causes = new EnumMap<>(MissCause.class);
        misses.forEach((cause, counter) -> {
            long count = counter.sum();
            if (count > 0) {
                causes.put(cause, count);
            }
        });
        return new Snapshot(hits.sum(), causes, secondTierHits.sum(), evictions.sum(), bypasses.sum(), bytes.sum());
    }
}
