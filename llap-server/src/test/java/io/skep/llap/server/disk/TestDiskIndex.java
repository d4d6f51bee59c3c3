package io.skep.llap.server.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TestDiskIndex {
    @Test
    void itIsAMap() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DiskIndex index = new DiskIndex();
        Map<Long, Long> model = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            // There are few home positions, so that long runs must be closed up after a removal.
            long fingerprint = (long) random.nextInt(300) << 40 | random.nextInt(8);
            long place = 1L + random.nextInt(3);
            if (random.nextInt(3) > 0) {
                index.put(fingerprint, place);
                model.put(fingerprint, place);
            } else {
                assertThat(index.remove(fingerprint, place))
                        .as("seed %s", seed)
                        .isEqualTo(model.remove(fingerprint, place));
            }
        }
        assertThat(index.size()).isEqualTo(model.size()).isGreaterThan(1000);
        for (long high = 0; high < 300; high++) {
            for (long low = 0; low < 8; low++) {
                long fingerprint = high << 40 | low;
                assertThat(index.get(fingerprint)).as("seed %s", seed).isEqualTo(model.getOrDefault(fingerprint, 0L));
            }
        }
    }

    @Test
    void placesArePacked() {
        for (DiskPlace place : new DiskPlace[] {
            new DiskPlace(0, 0, 1),
            new DiskPlace(
                    DiskPlace.MAX_SEGMENTS - 1, DiskPlace.MAX_SEGMENT_BYTES - 64, DiskPlace.MAX_SEGMENT_BYTES - 1),
            new DiskPlace(77, 640, 12_345)
        }) {
            assertThat(place.packed()).isNotZero();
            assertThat(DiskPlace.of(place.packed())).isEqualTo(place);
        }
    }
}
