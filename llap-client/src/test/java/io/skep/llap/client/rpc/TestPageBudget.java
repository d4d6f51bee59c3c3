package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests which pages find room beside others. */
class TestPageBudget {
    private static final int LARGE = 2 << 20;

    @Test
    void onlyLargePagesCount() {
        assertThat(PageBudget.weight(0)).isZero();
        assertThat(PageBudget.weight(1 << 20)).isZero();
        assertThat(PageBudget.weight((1 << 20) + 1)).isEqualTo(2L * ((1 << 20) + 1));
        assertThat(PageBudget.weight(Integer.MAX_VALUE)).isEqualTo(2L * Integer.MAX_VALUE);
    }

    @Test
    void pagesFindRoomUpToTheLimit() {
        PageBudget budget = new PageBudget(3L * LARGE);
        assertThat(budget.tryReserve(2L * LARGE)).isTrue();
        assertThat(budget.tryReserve(2L * LARGE)).isFalse();
        assertThat(budget.reserved()).isEqualTo(2L * LARGE);
        assertThat(budget.tryReserve(LARGE)).isTrue();
        budget.release(2L * LARGE);
        assertThat(budget.tryReserve(2L * LARGE)).isTrue();
    }

    /** A value of any size can be read, if nothing else is. */
    @Test
    void aPageAloneFindsRoomOfAnySize() {
        PageBudget budget = new PageBudget(LARGE);
        assertThat(budget.tryReserve(10L * LARGE)).isTrue();
        assertThat(budget.tryReserve(1)).isFalse();
        budget.release(10L * LARGE);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void smallPagesFindRoomBesideAPageThatExceedsTheLimit() {
        PageBudget budget = new PageBudget(LARGE);
        assertThat(budget.tryReserve(10L * LARGE)).isTrue();
        assertThat(budget.tryReserve(PageBudget.weight(1000))).isTrue();
    }

    /** Reservations stay within the limit, except for a single page, and nothing is left at the end. */
    @Test
    void anyOrderOfPages() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            long limit = 1L + random.nextInt(100);
            PageBudget budget = new PageBudget(limit);
            Deque<Long> held = new ArrayDeque<>();
            for (int step = 0; step < 300; step++) {
                if (random.nextBoolean()) {
                    long weight = random.nextInt(4) == 0 ? 0 : random.nextInt(1, 60);
                    long before = budget.reserved();
                    boolean fits = before == 0 || weight == 0 || before + weight <= limit;
                    assertThat(budget.tryReserve(weight))
                            .as("seed %s, step %s", seed, step)
                            .isEqualTo(fits);
                    assertThat(budget.reserved()).isEqualTo(fits ? before + weight : before);
                    if (fits) {
                        held.add(weight);
                    }
                } else if (!held.isEmpty()) {
                    budget.release(held.remove());
                }
            }
            held.forEach(budget::release);
            assertThat(budget.reserved()).as("seed %s", seed).isZero();
        }
    }
}
