package io.skep.service.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestRewindBuffer {
    private static final int ROWS = 100_000;

    private static Batch batch() {
        return new Batch(List.of(new LongVector(new long[ROWS], null, ROWS)), ROWS);
    }

    @Test
    void aResultThatIsTooLargeGivesItsMemoryBack() {
        KeptRows all = new KeptRows(Long.MAX_VALUE);
        RewindBuffer buffer = new RewindBuffer(all.share());
        long size = batch().retainedBytes();
        assertThat(size).isGreaterThanOrEqualTo(8L * ROWS);
        for (long bytes = 0; bytes + size <= RewindBuffer.MAX_BYTES; bytes += size) {
            buffer.add(batch());
        }
        assertThat(all.kept()).isBetween(RewindBuffer.MAX_BYTES - size, RewindBuffer.MAX_BYTES);
        assertThat(buffer.rewind()).isTrue();
        buffer.add(batch());
        assertThat(all.kept()).isZero();
        assertThat(buffer.rewind()).isFalse();
        assertThat(buffer.next()).isEmpty();
    }

    @Test
    void resultsBeyondTheLimitOfAllAreReadOnce() {
        long size = batch().retainedBytes();
        KeptRows all = new KeptRows(size * 3 / 2);
        RewindBuffer first = new RewindBuffer(all.share());
        RewindBuffer second = new RewindBuffer(all.share());
        first.add(batch());
        second.add(batch());
        assertThat(first.rewind()).isTrue();
        assertThat(first.next()).isPresent();
        assertThat(first.next()).isEmpty();
        assertThat(second.rewind()).isFalse();
        assertThat(all.kept()).isEqualTo(size);
    }
}
