package io.skep.tez.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.engine.filter.ColumnValues;
import io.skep.engine.plan.codec.ColumnValuesCodec;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.client.ValueReport;
import io.skep.tez.wire.SplitShare;
import io.skep.tez.wire.TaskReport;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TestSplitPruning {
    private static final Datum ONE = new Datum.OfLong(1);
    private static final Datum TWO = new Datum.OfLong(2);
    private static final SplitPruning.Filter NUMBERS = new SplitPruning.Filter(
            7, List.of(0, 3), 2, List.of(ONE, TWO), List.of(new int[] {0, 1, SplitPruning.NULL}, new int[] {1, 1}));
    private static final SplitPruning.Filter TEXTS = new SplitPruning.Filter(
            7, List.of(5), 0, List.of(Datum.ofText("a")), List.of(new int[] {0, 0, 0}, new int[] {0, SplitPruning.NULL
            }));
    private static final List<Map<Integer, Integer>> TASKS = List.of(Map.of(7, 3), Map.of(7, 2));

    private static SplitPruning pruning(boolean fewerTasks) {
        return new SplitPruning(List.of(NUMBERS, TEXTS), TASKS, fewerTasks);
    }

    private static List<SplitShare> shares(boolean fewerTasks, ColumnValues numbers, ColumnValues texts) {
        return pruning(fewerTasks).shares(filter -> Optional.of(filter.source() == 2 ? numbers : texts));
    }

    private static ColumnValues values(Datum... values) {
        return ColumnValues.of(Set.of(values));
    }

    private static SplitShare share(int task, long unread, int... leftOut) {
        BitSet splits = new BitSet();
        for (int split : leftOut) {
            splits.set(split);
        }
        return new SplitShare(task, leftOut.length == 0 ? Map.of() : Map.of(7, splits), unread);
    }

    @Test
    void splitsWithoutAValueThatIsToldAreLeftOut() {
        assertThat(shares(true, values(TWO), ColumnValues.ANY)).containsExactly(share(0, 2, 0, 2), share(1, 1, 1));
        assertThat(shares(true, ColumnValues.ANY, values(Datum.ofText("b"), Datum.ofText("a"))))
                .containsExactly(share(0, 1, 2), share(1, 1, 1));
    }

    @Test
    void tasksWithoutASplitAreLeftOut() {
        assertThat(shares(true, values(ONE), values(Datum.ofText("a")))).containsExactly(share(0, 4, 1, 2));
        assertThat(shares(false, values(ONE), values(Datum.ofText("a"))))
                .containsExactly(share(0, 2, 1, 2), share(1, 2, 0, 1));
        assertThat(shares(true, values(), ColumnValues.ANY)).containsExactly(share(0, 5, 0, 1, 2));
    }

    @Test
    void whatIsNotToldLeavesNothingOut() {
        assertThat(pruning(true).shares(_ -> Optional.empty())).containsExactly(share(0, 0), share(1, 0));
        assertThat(pruning(true)
                        .shares(filter ->
                                filter.source() == 2 ? Optional.empty() : Optional.of(values(Datum.ofText("a")))))
                .containsExactly(share(0, 0), share(1, 1, 1));
    }

    @Test
    void aShareIsThePlannedOneWithoutSome() {
        assertThat(share(0, 2, 0, 2).of(7, List.of("a", "b", "c"))).containsExactly("b");
        assertThat(share(0, 2, 0, 2).of(8, List.of("a", "b", "c"))).containsExactly("a", "b", "c");
    }

    @Test
    void itTravelsToTheMaster() {
        VertexManagerPayload payload =
                new VertexManagerPayload(1, 2, 3, 4, List.of(5, 6), Optional.empty(), Optional.of(pruning(true)));
        assertThat(VertexManagerPayload.decode(payload.encode()))
                .usingRecursiveComparison()
                .isEqualTo(payload);
    }

    @Test
    void sharesTravelToTasks() {
        TaskInput input = new TaskInput(PartitionRange.of(3)).withSplits(share(4, 9, 1, 70, 200));
        assertThat(TaskInput.decode(input.encode())).isEqualTo(input);
        TaskInput whole = new TaskInput(new PartitionRange(1, 2), Set.of(4), Map.of(6, new TaskInput.Slice(0, 2)));
        assertThat(TaskInput.decode(whole.encode())).isEqualTo(whole);
    }

    @Test
    void newsTravelToVertices() {
        PartitionSizes sizes = PartitionSizes.of(new long[] {0, 7});
        assertThat(TaskReport.decode(TaskReport.encode(sizes))).isEqualTo(new TaskReport.Sizes(sizes));
        Map<Integer, ColumnValues> columns = Map.of(0, values(ONE), 4, ColumnValues.ANY, 5, values());
        ByteBuffer news = TaskReport.encode(new ValueReport(ColumnValuesCodec.encode(columns)));
        assertThat(TaskReport.decode(news)).isEqualTo(new TaskReport.Values(columns));
        assertThat(TaskReport.decode(TaskReport.encode(ValueReport.NONE))).isEqualTo(new TaskReport.Values(Map.of()));
    }

    @Test
    void valuesAreKnownWhenAllTasksHaveToldThem() {
        ProducedValues told = new ProducedValues();
        told.put(0, 0, Map.of(2, values(ONE)));
        told.put(3, 1, Map.of(2, values(TWO), 0, ColumnValues.ANY));
        assertThat(told.of(List.of(0), 2, _ -> 1)).contains(values(ONE));
        assertThat(told.of(List.of(0, 3), 2, fragment -> fragment == 0 ? 1 : 2)).isEmpty();
        told.put(3, 0, Map.of(2, values(), 0, values(ONE)));
        assertThat(told.of(List.of(0, 3), 2, fragment -> fragment == 0 ? 1 : 2)).contains(values(ONE, TWO));
        assertThat(told.of(List.of(3), 0, _ -> 2)).contains(ColumnValues.ANY);
        assertThat(told.of(List.of(3), 1, _ -> 2)).isEmpty();
    }
}
