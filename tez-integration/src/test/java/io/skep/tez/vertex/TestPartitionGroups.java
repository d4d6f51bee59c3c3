package io.skep.tez.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.llap.client.PartitionRange;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TestPartitionGroups {
    private static List<PartitionRange> groups(long groupBytes, long... sizes) {
        return PartitionGroups.of(sizes, groupBytes);
    }

    @Test
    void neighboursThatFitAreTogether() {
        assertThat(groups(10, 3, 3, 3, 3, 3)).containsExactly(new PartitionRange(0, 3), new PartitionRange(3, 2));
        assertThat(groups(10, 5, 5, 1)).containsExactly(new PartitionRange(0, 2), new PartitionRange(2, 1));
    }

    @Test
    void allThatIsSmallOrEmptyIsOneGroup() {
        assertThat(groups(10, 0, 0, 0, 0)).containsExactly(new PartitionRange(0, 4));
        assertThat(groups(10, 1, 2, 3)).containsExactly(new PartitionRange(0, 3));
    }

    @Test
    void aLargePartitionIsAlone() {
        assertThat(groups(10, 1, 50, 0, 2))
                .containsExactly(new PartitionRange(0, 1), new PartitionRange(1, 2), new PartitionRange(3, 1));
        assertThat(groups(1, Long.MAX_VALUE, Long.MAX_VALUE))
                .containsExactly(new PartitionRange(0, 1), new PartitionRange(1, 1));
    }

    @Test
    void anySizesAreCoveredInOrder() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            long[] sizes = random.longs(1 + random.nextInt(20), 0, 100).toArray();
            long most = 1L + random.nextInt(200);
            int next = 0;
            for (PartitionRange group : PartitionGroups.of(sizes, most)) {
                assertThat(group.first()).as("seed %d", seed).isEqualTo(next);
                next += group.count();
                long[] ofGroup = Arrays.copyOfRange(sizes, group.first(), next);
                long nonEmpty = Arrays.stream(ofGroup).filter(size -> size > 0).count();
                assertThat(nonEmpty <= 1 || Arrays.stream(ofGroup).sum() <= most)
                        .as("seed %d: %s of %s, at most %d", seed, group, Arrays.toString(sizes), most)
                        .isTrue();
            }
            assertThat(next).as("seed %d", seed).isEqualTo(sizes.length);
        }
    }
}
