package io.skep.bench.hashtable;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.rows.GroupIndex;
import io.skep.engine.rows.JoinIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Skep's hash tables without operators around them: batches of keys in, row or group numbers out. */
final class SkepTables {
    private SkepTables() {}

    /** Splits the keys into vectors with the length of a batch. */
    static List<LongVector> vectors(long[] values) {
        List<LongVector> vectors = new ArrayList<>();
        for (int from = 0; from < values.length; from += Batch.TARGET_ROWS) {
            int to = Math.min(values.length, from + Batch.TARGET_ROWS);
            vectors.add(new LongVector(Arrays.copyOfRange(values, from, to), null, to - from));
        }
        return vectors;
    }

    static final class Join implements Contender {
        private final LongVector build;
        private final long[] values;
        private final List<LongVector> probe;
        private final int[] rows = new int[Batch.TARGET_ROWS];
        private final int[] matches = new int[Batch.TARGET_ROWS];
        private @Nullable JoinIndex index;

        Join(Keys keys) {
            build = new LongVector(keys.buildKeys(), null, keys.rows());
            values = new long[keys.rows()];
            for (int i = 0; i < values.length; i++) {
                values[i] = i;
            }
            probe = vectors(keys.probeKeys());
        }

        @Override
        public void build() {
            index = new JoinIndex(List.of(build), List.of(false), build.length());
        }

        @Override
        public long probe() {
            JoinIndex.Lookup lookup = java.util.Objects.requireNonNull(index).newLookup();
            long sum = 0;
            for (LongVector batch : probe) {
                sum += probe(lookup, batch);
            }
            return sum;
        }

        private long probe(JoinIndex.Lookup lookup, LongVector batch) {
            List<Vector> keys = List.of(batch);
            int active = batch.length();
            for (int i = 0; i < active; i++) {
                rows[i] = i;
            }
            active = lookup.find(keys, active, rows, active, matches);
            long sum = 0;
            while (active > 0) {
                for (int i = 0; i < active; i++) {
                    sum += values[matches[i]];
                }
                active = lookup.advance(rows, matches, active);
            }
            return sum;
        }

        @Override
        public long overheadBytes() {
            return index == null ? 0 : index.retainedBytes();
        }
    }

    static final class Aggregation implements Contender {
        private final List<LongVector> build;
        private final List<LongVector> probe;
        private final int[] groups = new int[Batch.TARGET_ROWS];
        private GroupIndex index = new GroupIndex(List.of());
        private long[] sums = new long[0];

        Aggregation(Keys keys) {
            build = vectors(keys.buildKeys());
            probe = vectors(keys.probeKeys());
        }

        @Override
        public void build() {
            index = new GroupIndex(List.of(PrimitiveType.BIGINT));
            sums = new long[Batch.TARGET_ROWS];
            add(build);
        }

        private void add(List<LongVector> batches) {
            long value = 0;
            for (LongVector batch : batches) {
                index.assign(List.of(batch), batch.length(), groups);
                if (sums.length < index.size()) {
                    sums = Arrays.copyOf(sums, Math.max(index.size(), 2 * sums.length));
                }
                value = add(value, batch.length());
            }
        }

        private long add(long firstValue, int count) {
            for (int i = 0; i < count; i++) {
                sums[groups[i]] += firstValue + i;
            }
            return firstValue + count;
        }

        @Override
        public long probe() {
            add(probe);
            long sum = 0;
            for (int i = 0; i < index.size(); i++) {
                sum += sums[i];
            }
            return sum;
        }

        @Override
        public long overheadBytes() {
            return index.retainedBytes() - 8L * index.size();
        }
    }
}
