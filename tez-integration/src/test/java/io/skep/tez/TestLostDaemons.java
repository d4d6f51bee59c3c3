package io.skep.tez;

import static io.skep.tez.PairPlans.BY_KEY;
import static io.skep.tez.PairPlans.graph;
import static io.skep.tez.PairPlans.hashed;
import static io.skep.tez.PairPlans.pairs;
import static io.skep.tez.PairPlans.remote;
import static io.skep.tez.PairPlans.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loses one of two daemons during a query. The query finishes with the right rows on the other daemon: tasks go there,
 * and lost outputs are produced again.
 */
@Timeout(120)
final class TestLostDaemons {
    private static final int ROWS = 5000;

    /** The rows are few, but tasks must run on both daemons. */
    private static final Map<String, String> AS_PLANNED = Map.of("hive.tez.auto.reducer.parallelism", "false");

    private Optional<TezSite> started = Optional.empty();

    @BeforeEach
    void start(@TempDir Path folder) {
        started = Optional.of(new TezSite(folder, 4));
    }

    @AfterEach
    void stop() {
        assertThat(site().leftovers()).isEmpty();
        site().close();
    }

    private TezSite site() {
        return started.orElseThrow();
    }

    @Test
    void tasksGoToTheOtherDaemon() {
        site().daemon(1).loseAt(1);
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(expected());
        assertThat(site().daemon(1).attempts()).anyMatch(attempt -> attempt.startsWith("1-"));
    }

    @Test
    void lostOutputsAreMadeAgain() {
        site().daemon(1).loseAfter(1);
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(expected());
        assertThat(site().daemon(0).attempts()).anyMatch(attempt -> attempt.matches("1-\\d-1"));
        assertThat(IntStream.range(0, 2)
                        .mapToObj(slot -> site().daemon(slot).attempts())
                        .flatMap(List::stream))
                .contains("2-0-0")
                .doesNotContain("2-0-1");
    }

    @Test
    void withoutADaemonTheQueryFails() {
        site().daemon(0).loseAt(1);
        site().daemon(1).loseAt(1);
        assertThatThrownBy(this::rows)
                .hasCauseInstanceOf(SkepException.class)
                .cause()
                .satisfies(e -> assertThat(((SkepException) e).code())
                        .as(e.toString())
                        .isEqualTo(StandardErrorCode.DAEMON_LOST));
    }

    /** Returns the rows of a query that sends them from one task to several, and from those to one. */
    private List<Datum> rows() {
        StageGraph graph = graph(
                single(0, pairs(0, ROWS, row -> row), BY_KEY), hashed(1, remote(0), new Fragment.Output.Gather()));
        return site().run(graph, AS_PLANNED).rows().stream().map(List::getFirst).toList();
    }

    private static List<Datum> expected() {
        return LongStream.range(0, ROWS).<Datum>mapToObj(Datum.OfLong::new).toList();
    }
}
