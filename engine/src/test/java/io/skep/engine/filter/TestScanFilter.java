package io.skep.engine.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TestScanFilter {
    private static final int ROWS = 100;
    private static final Vector ALL = longs(0);
    private static final Vector NONE = longs(1000);

    private final ScanFilter filter = filter(KeyFilterBuilder.of(longs(0), ROWS, PrimitiveType.BIGINT));

    private static Vector longs(int from) {
        return new LongVector(IntStream.range(from, from + ROWS).asLongStream().toArray(), null, ROWS);
    }

    private static ScanFilter filter(KeyFilter keys) {
        RuntimeFilterFuture promise = new RuntimeFilterFuture(0);
        promise.filter().complete(Optional.of(keys));
        return new ScanFilter(promise, 0);
    }

    private int retain(Vector values) {
        return filter.retain(values, IntStream.range(0, ROWS).toArray(), ROWS);
    }

    /** Returns the number of the given batches that the filter requests. */
    private int asked(int batches, Vector values) {
        int asked = 0;
        for (int i = 0; i < batches; i++) {
            if (filter.awake()) {
                asked++;
                retain(values);
            }
        }
        return asked;
    }

    @Test
    void restsWhenItDropsLittle() {
        assertThat(asked(ScanFilter.TRIED, ALL)).isEqualTo(ScanFilter.TRIED);
        assertThat(asked(ScanFilter.TRIED, ALL)).as("at rest").isZero();
        int later = asked(10_000, ALL);
        assertThat(later).as("tries again, less and less often").isBetween(ScanFilter.TRIED, 12 * ScanFilter.TRIED);
    }

    @Test
    void wakesWhenRowsChange() {
        asked(1000, ALL);
        assertThat(asked(10_000, NONE)).as("half of the batches and more").isGreaterThan(5_000);
        assertThat(asked(1000, NONE)).isEqualTo(1000);
    }

    @Test
    void staysAwakeWhenItDropsAThird() {
        Vector twoThirds = longs(34);
        assertThat(retain(twoThirds)).isEqualTo(66);
        assertThat(asked(500, twoThirds)).isEqualTo(500);
    }

    @Test
    void aJoinThatHasNoneToGiveIsNotAsked() {
        RuntimeFilterFuture promise = new RuntimeFilterFuture(0);
        promise.filter().complete(Optional.empty());
        ScanFilter none = new ScanFilter(promise, 0);
        assertThat(none.awake()).isFalse();
        assertThat(none.retain(ALL, new int[] {4}, 1)).isEqualTo(1);
    }
}
