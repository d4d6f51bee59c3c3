package io.skep.common.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import org.junit.jupiter.api.Test;

final class TestMemoryPool {
    @Test
    void refusesWhatAnyPoolAboveRefuses() {
        MemoryPool root = MemoryPool.root("daemon", 100);
        MemoryPool query = root.child("q", 80);
        MemoryPool other = root.child("r");
        assertThat(query.tryReserve(80)).isTrue();
        assertThat(query.tryReserve(1)).isFalse();
        assertThat(other.tryReserve(21)).isFalse();
        assertThat(other.reservedBytes()).isZero();
        assertThat(root.reservedBytes()).isEqualTo(80);
        assertThatThrownBy(() -> other.reserve(30)).isInstanceOf(SkepException.class);
        query.release(80);
        assertThat(root.reservedBytes()).isZero();
        assertThat(query.peakBytes()).isEqualTo(80);
    }

    @Test
    void keepsAPartForThoseThatCannotSpill() {
        MemoryPool root = MemoryPool.root("daemon", 100, 20);
        MemoryPool query = root.child("q", 90, 30);
        MemoryPool other = root.child("r");
        assertThat(query.tryReserve(61)).isFalse();
        assertThat(query.tryReserve(60)).isTrue();
        assertThat(other.tryReserve(21)).isFalse();
        assertThat(other.tryReserve(20)).isTrue();
        query.reserve(15);
        assertThat(other.tryReserve(1)).isFalse();
        other.reserve(5);
        assertThatThrownBy(() -> other.reserve(1))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.hint())
                                .hasValueSatisfying(hint -> assertThat(hint).contains("skep.llap.max-memory")));
        query.close();
        assertThat(root.reservedBytes()).isEqualTo(25);
    }

    @Test
    void givesBackEverythingWhenClosed() {
        MemoryPool root = MemoryPool.root("daemon", 100);
        MemoryPool query = root.child("q");
        query.reserve(60);
        query.close();
        query.close();
        assertThat(root.reservedBytes()).isZero();
    }

    @Test
    void noticesThatTooMuchIsReleased() {
        MemoryPool root = MemoryPool.root("daemon", 100);
        root.reserve(1);
        assertThatThrownBy(() -> root.release(2)).isInstanceOf(IllegalStateException.class);
    }
}
