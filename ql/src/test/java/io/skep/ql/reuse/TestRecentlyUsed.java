package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Room for some values; those used last stay. */
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
}
