package io.skep.bench.hashtable;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.HashMap;
import java.util.Map;

/** Joins with maps from a key to its last build row. Rows with the same key are chained in an array. */
final class MapJoin {
    private MapJoin() {}

    static final class Boxed implements Contender {
        private final long[] build;
        private final long[] probe;
        private Map<Long, Integer> map = Map.of();
        private int[] next = new int[0];

        Boxed(Keys keys) {
            build = keys.buildKeys();
            probe = keys.probeKeys();
        }

        @Override
        public void build() {
            map = new HashMap<>();
            next = new int[build.length];
            for (int row = 0; row < build.length; row++) {
                Integer before = map.put(build[row], row);
                next[row] = before == null ? -1 : before;
            }
        }

        @Override
        public long probe() {
            long sum = 0;
            for (long key : probe) {
                Integer row = map.get(key);
                if (row != null) {
                    sum += chain(next, row);
                }
            }
            return sum;
        }

        @Override
        public long overheadBytes() {
            return HeapUse.ofLongToInt(map) + 4L * next.length;
        }
    }

    static final class Fastutil implements Contender {
        private final long[] build;
        private final long[] probe;
        private Long2LongOpenHashMap map = new Long2LongOpenHashMap();
        private int[] next = new int[0];

        Fastutil(Keys keys) {
            build = keys.buildKeys();
            probe = keys.probeKeys();
        }

        @Override
        public void build() {
            map = new Long2LongOpenHashMap();
            map.defaultReturnValue(-1);
            next = new int[build.length];
            for (int row = 0; row < build.length; row++) {
                next[row] = (int) map.put(build[row], row);
            }
        }

        @Override
        public long probe() {
            long sum = 0;
            for (long key : probe) {
                long row = map.get(key);
                if (row >= 0) {
                    sum += chain(next, (int) row);
                }
            }
            return sum;
        }

        @Override
        public long overheadBytes() {
            return HeapUse.of(map) + 4L * next.length;
        }
    }

    private static long chain(int[] next, int first) {
        long sum = 0;
        for (int row = first; row >= 0; row = next[row]) {
            sum += row;
        }
        return sum;
    }
}
