package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests a bounded map that keeps the values used most recently. */
final class TestRecentlyUsed {
    @Test
    void keepsWhatIsUsed() {
        RecentlyUsed<Integer, String> values = new RecentlyUsed<>(8);
        for (int i = 0; i < 1000; i++) {
            values.put(i, "v" + i);
            assertThat(values.find(0)).contains("v0");
            assertThat(values.size()).isLessThanOrEqualTo(10);
        }
        assertThat(values.find(999)).contains("v999");
        assertThat(values.find(500)).isEmpty();
    }

    @Test
    void makesAValueOnce() {
        RecentlyUsed<Integer, Object> values = new RecentlyUsed<>(8);
        Object made = values.findOrMake(1, Object::new);
        assertThat(values.findOrMake(1, Object::new)).isSameAs(made);
        assertThat(values.find(2)).isEmpty();
    }

    @Test
    void whatIsHeavyHasLessRoom() {
        RecentlyUsed<String, Integer> values = new RecentlyUsed<>(1000, 16_000, String::length);
        values.put("too heavy".repeat(200), 0);
        assertThat(values.size()).isZero();
        assertThat(values.findOrMake("too heavy".repeat(200), () -> 7)).isEqualTo(7);
        assertThat(values.size()).isZero();
        for (int i = 0; i < 1000; i++) {
            values.put("x".repeat(500) + i, i);
            values.put("x".repeat(500) + i, i);
            assertThat(values.weight()).isLessThanOrEqualTo(20_000);
            assertThat(values.size()).isLessThanOrEqualTo(40);
        }
        assertThat(values.find("x".repeat(500) + 999)).contains(999);
        assertThat(values.size()).isGreaterThan(20);
    }
}
