package io.skep.llap.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class TestPartitionSizes {
    @Test
    void sizesComeBackWithinATenth() {
        for (long bytes = 1; bytes > 0; bytes += 1 + bytes / 7) {
            PartitionSizes sizes = PartitionSizes.of(new long[] {0, bytes, Long.MAX_VALUE});
            PartitionSizes back = PartitionSizes.decode(sizes.encode());
            assertThat(back).isEqualTo(sizes).hasSameHashCodeAs(sizes);
            assertThat(back.partitions()).isEqualTo(3);
            assertThat(back.bytes(0)).isZero();
            // Rounding affects small numbers too.
            assertThat((double) back.bytes(1))
                    .isCloseTo((double) bytes, Percentage.withPercentage(bytes < 10 ? 35 : 10));
            assertThat((double) back.bytes(2)).isCloseTo((double) Long.MAX_VALUE, Percentage.withPercentage(10));
        }
    }

    @Test
    void onlyNothingIsZero() {
        assertThat(PartitionSizes.of(new long[] {1}).bytes(0)).isEqualTo(1);
        assertThat(PartitionSizes.NONE.partitions()).isZero();
    }
}
