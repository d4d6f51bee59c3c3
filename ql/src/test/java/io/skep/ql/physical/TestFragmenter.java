package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.Fragment.Distribution;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the fragments that exchanges close. */
class TestFragmenter {
    private static final PlanNode ROWS =
            new PlanNode.Values(List.of(PrimitiveType.INT, PrimitiveType.STRING), List.of());
    private static final Planned SPREAD = new Planned(ROWS, new Layout.Source(), 10);
    private static final Planned SINGLE = new Planned(ROWS, new Layout.Single(), 10);
    private static final List<SortKey> ORDER = List.of(new SortKey(1, false, true));

    private final Fragmenter fragmenter = new Fragmenter(new EstimatedRows.Collector());

    private static PlanNode.RemoteSource source(Planned planned) {
        return (PlanNode.RemoteSource) planned.node();
    }

    @Test
    void gatheringSendsAllRowsToOneTask() {
        Planned gathered = fragmenter.gather(SPREAD, ORDER);
        assertThat(gathered.isSingle()).isTrue();
        assertThat(gathered.rows()).isEqualTo(10);
        assertThat(source(gathered)).isEqualTo(new PlanNode.RemoteSource(List.of(0), ROWS.outputTypes(), ORDER));
        assertThat(fragmenter.finish(gathered))
                .containsExactly(
                        new Fragment(0, ROWS, Distribution.SOURCE, new Fragment.Output.Gather()),
                        new Fragment(1, gathered.node(), Distribution.SINGLE, new Fragment.Output.Gather()));
    }

    @Test
    void aSingleTaskNeedsNoGathering() {
        assertThat(fragmenter.gather(SINGLE, ORDER)).isSameAs(SINGLE);
        assertThat(fragmenter.finish(SINGLE)).hasSize(1);
    }

    @Test
    void hashingPlacesEqualRowsTogether() {
        Planned hashed = fragmenter.hash(SPREAD, List.of(1));
        assertThat(hashed.layout()).isEqualTo(new Layout.Hashed(List.of(1)));
        List<Fragment> fragments = fragmenter.finish(hashed);
        assertThat(fragments.get(0).output()).isEqualTo(new Fragment.Output.Hash(List.of(1)));
        assertThat(fragments.get(1).distribution()).isEqualTo(Distribution.HASH);
        assertThat(fragments.get(2).distribution()).isEqualTo(Distribution.SINGLE);
    }

    @Test
    void broadcastingLeavesTheReaderInItsPlace() {
        PlanNode sent = fragmenter.broadcast(SPREAD);
        assertThat(((PlanNode.RemoteSource) sent).fragments()).containsExactly(0);
        assertThat(fragmenter.finish(SINGLE).getFirst().output()).isEqualTo(new Fragment.Output.Broadcast());
    }

    @Test
    void spreadingReadsSeveralFragmentsWithoutAKnownLayout() {
        Planned spread = fragmenter.spread(List.of(SPREAD, SINGLE));
        assertThat(source(spread).fragments()).containsExactly(0, 1);
        assertThat(spread.rows()).isEqualTo(20);
        assertThat(spread.layout()).isEqualTo(new Layout.Hashed(List.of()));
        List<Fragment> fragments = fragmenter.finish(spread);
        assertThat(fragments)
                .extracting(Fragment::distribution)
                .containsExactly(Distribution.SOURCE, Distribution.SINGLE, Distribution.HASH, Distribution.SINGLE);
        assertThat(fragments.subList(0, 2)).extracting(Fragment::output).containsOnly(new Fragment.Output.RoundRobin());
    }

    @Test
    void theRootIsTheLastFragmentAndEachIdIsAPosition() {
        Planned hashed = fragmenter.hash(SPREAD, List.of(0));
        PlanNode sent = fragmenter.broadcast(SPREAD);
        PlanNode union = new PlanNode.UnionAll(List.of(hashed.node(), sent));
        List<Fragment> fragments = fragmenter.finish(hashed.with(union, 20));
        assertThat(fragments).extracting(Fragment::id).containsExactly(0, 1, 2, 3);
        assertThat(fragments.getLast().root())
                .isEqualTo(new PlanNode.RemoteSource(List.of(2), ROWS.outputTypes(), List.of()));
    }

    @Test
    void scansAreNumbered() {
        assertThat(List.of(fragmenter.nextScanId(), fragmenter.nextScanId())).containsExactly(0, 1);
    }

    @Test
    void equalityInFewerColumnsImpliesThatInMore() {
        Layout.Hashed hashed = new Layout.Hashed(List.of(2));
        assertThat(hashed.within(List.of(1, 2))).isTrue();
        assertThat(hashed.within(List.of(1))).isFalse();
        assertThat(new Layout.Hashed(List.of(1, 2)).within(List.of(2))).isFalse();
        assertThat(new Layout.Hashed(List.of()).within(List.of(1))).isFalse();
    }
}
