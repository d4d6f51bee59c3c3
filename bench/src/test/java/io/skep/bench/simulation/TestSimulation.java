package io.skep.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs a few of the seeds that {@code bin/bench simulation} runs by the thousands. */
@Timeout(600)
final class TestSimulation {
    private static final int SEEDS = 16;
    private static final int QUERIES = 450;

    @Test
    void promisesHoldWhateverDiesOrHangs() {
        long tasks = 0;
        long kills = 0;
        List<String> broken = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimulationOutcome outcome = Simulation.run(SimulationPlan.random(seed, QUERIES));
            if (outcome.plan().isSteady()) {
                tasks += outcome.tasks();
                kills += outcome.kills();
            }
            if (!outcome.broken().isEmpty()) {
                broken.add(outcome + ": " + outcome.broken());
            }
        }
        assertThat(broken).isEmpty();
        assertThat(tasks).isGreaterThan(SEEDS / 2 * QUERIES);
        assertThat((double) kills / tasks).isLessThan(0.01);
    }

    @Test
    void aSeedGivesTheSameRunAgain() {
        SimulationPlan plan = new SimulationPlan(11, 20, 8, 2, 60, 300, 2, 1, 1);
        SimulationOutcome first = Simulation.run(plan);
        assertThat(Simulation.run(plan)).isEqualTo(first);
        assertThat(first.kills()).isPositive();
    }

    @Test
    void withoutFaultsNothingIsKilledAndCachesAreFound() {
        SimulationOutcome outcome = Simulation.run(new SimulationPlan(3, 10, 8, 1, 40, 2000, 0, 0, 0));
        assertThat(outcome.broken()).isEmpty();
        assertThat(outcome.kills()).isZero();
        assertThat((double) outcome.hits() / (outcome.hits() + outcome.misses()))
                .isGreaterThan(0.9);
    }
}
