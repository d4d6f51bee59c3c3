package io.skep.bench.hashtable;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.HashMap;
import java.util.Map;

/** Aggregations that sum by key in maps. */
final class MapAggregation {
    private MapAggregation() {}

    static final class Boxed implements Contender {
        private final long[] build;
        private final long[] probe;
        private Map<Long, Long> map = Map.of();

        Boxed(Keys keys) {
            build = keys.buildKeys();
            probe = keys.probeKeys();
        }

        @Override
        public void build() {
            map = new HashMap<>();
            for (int row = 0; row < build.length; row++) {
                map.merge(build[row], (long) row, Long::sum);
            }
        }

        @Override
        public long probe() {
            for (int row = 0; row < probe.length; row++) {
                map.merge(probe[row], (long) row, Long::sum);
            }
            long sum = 0;
            for (long value : map.values()) {
                sum += value;
            }
            return sum;
        }

        @Override
        public long overheadBytes() {
            return HeapUse.ofLongToLong(map) - 16L * map.size();
        }
    }

    static final class Fastutil implements Contender {
        private final long[] build;
        private final long[] probe;
        private Long2LongOpenHashMap map = new Long2LongOpenHashMap();

        Fastutil(Keys keys) {
            build = keys.buildKeys();
            probe = keys.probeKeys();
        }

        @Override
        public void build() {
            map = new Long2LongOpenHashMap();
            for (int row = 0; row < build.length; row++) {
                map.addTo(build[row], row);
            }
        }

        @Override
        public long probe() {
            for (int row = 0; row < probe.length; row++) {
                map.addTo(probe[row], row);
            }
            long sum = 0;
            var values = map.values().iterator();
            while (values.hasNext()) {
                sum += values.nextLong();
            }
            return sum;
        }

        @Override
        public long overheadBytes() {
            return HeapUse.of(map) - 16L * map.size();
        }
    }
}
