package io.skep.tez.vertex;

import static io.skep.tez.PairPlans.BY_KEY;
import static io.skep.tez.PairPlans.hashed;
import static io.skep.tez.PairPlans.join;
import static io.skep.tez.PairPlans.remote;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.PartitionSizes;
import io.skep.tez.vertex.TaskInput.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TestTaskInputs {
    private static final Set<Integer> PROBE = Set.of(1, 2);

    private static VertexManagerPayload payload(long taskBytes, long skewFactor, long skewBytes) {
        return new VertexManagerPayload(
                taskBytes, skewFactor, skewBytes, 0, List.of(1, 2, 3), Optional.empty(), Optional.empty());
    }

    private static OutputSizes.Output output(int fragment, int task, long... bytes) {
        return new OutputSizes.Output(fragment, task, PartitionSizes.of(bytes));
    }

    private static TaskInput whole(int first, int count) {
        return new TaskInput(new PartitionRange(first, count));
    }

    private static TaskInput slice(int partition, Slice one, Slice two) {
        return new TaskInput(PartitionRange.of(partition), Set.of(), Map.of(1, one, 2, two));
    }

    @Test
    void aSkewedPartitionIsSharedByTheTasksThatOthersSave() {
        List<OutputSizes.Output> outputs = List.of(
                output(1, 0, 16, 16, 4096, 16),
                output(1, 1, 16, 16, 4096, 16),
                output(2, 0, 16, 16, 4096, 16),
                output(3, 0, 16, 16, 16, 16));
        assertThat(TaskInputs.of(outputs, PROBE, 4, payload(1024, 5, 1024)))
                .containsExactly(
                        whole(0, 2),
                        slice(2, new Slice(0, 2), new Slice(0, 0)),
                        slice(2, new Slice(0, 0), new Slice(0, 1)),
                        whole(3, 1));
    }

    @Test
    void itStaysWholeWhereItMayNotBeSliced() {
        List<OutputSizes.Output> outputs =
                List.of(output(1, 0, 16, 4096, 16, 16), output(1, 1, 16, 4096, 16, 16), output(3, 0, 16, 16, 16, 16));
        VertexManagerPayload payload = payload(1024, 5, 1024);
        List<TaskInput> unsplit = List.of(whole(0, 1), whole(1, 1), whole(2, 2));
        assertThat(TaskInputs.of(outputs, Set.of(), 4, payload)).isEqualTo(unsplit);
        assertThat(TaskInputs.of(outputs, PROBE, 4, payload(1024, 0, 1024))).isEqualTo(unsplit);
        assertThat(TaskInputs.of(outputs, PROBE, 4, payload(1024, 5, 100_000))).isEqualTo(unsplit);
        assertThat(TaskInputs.of(outputs, PROBE, 4, payload(1024, 1000, 1024))).isEqualTo(unsplit);
        assertThat(TaskInputs.of(outputs, PROBE, 4, payload)).hasSize(4).isNotEqualTo(unsplit);
    }

    @Test
    void whatWouldBeReadAgainByEachTaskMustNotBeMore() {
        List<OutputSizes.Output> outputs =
                List.of(output(1, 0, 0, 4096, 0, 0), output(1, 1, 0, 4096, 0, 0), output(3, 0, 0, 32768, 0, 0));
        assertThat(TaskInputs.of(outputs, PROBE, 4, payload(1024, 5, 1024)))
                .allSatisfy(input -> assertThat(input.slices()).isEmpty());
    }

    @Test
    void oneProducingTaskIsNotDivided() {
        List<OutputSizes.Output> outputs =
                List.of(output(1, 0, 0, 65536, 0, 0), output(1, 1, 0, 0, 0, 0), output(2, 0, 0, 0, 0, 0));
        assertThat(TaskInputs.of(outputs, PROBE, 4, payload(1024, 5, 1024)))
                .containsExactly(whole(0, 1), whole(1, 1), whole(2, 2));
    }

    /** For any sizes, each partition of each output is read by one task, or by all slices if it is not sliceable. */
    @Test
    void anySizesAreReadOnce() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 1000; round++) {
            int partitions = 1 + random.nextInt(12);
            List<OutputSizes.Output> outputs = new ArrayList<>();
            Map<Integer, Integer> tasks = new HashMap<>();
            for (int fragment = 1; fragment <= 3; fragment++) {
                tasks.put(fragment, 1 + random.nextInt(6));
                for (int task = 0; task < tasks.getOrDefault(fragment, 0); task++) {
                    long[] bytes = new long[partitions];
                    for (int i = 0; i < partitions; i++) {
                        bytes[i] = random.nextInt(3) == 0 ? 0 : 1L << random.nextInt(fragment == 3 ? 8 : 20);
                    }
                    outputs.add(output(fragment, task, bytes));
                }
            }
            VertexManagerPayload payload =
                    payload(1 + random.nextInt(100_000), 1 + random.nextInt(3), random.nextInt(1000));
            List<TaskInput> inputs = TaskInputs.of(outputs, PROBE, partitions, payload);
            assertThat(inputs).as("seed %d", seed).hasSizeBetween(1, partitions);
            for (int i = 0; i < partitions; i++) {
                assertReadOnce(i, inputs, tasks, seed);
            }
        }
    }

    private static void assertReadOnce(int partition, List<TaskInput> inputs, Map<Integer, Integer> tasks, long seed) {
        List<TaskInput> readers = inputs.stream()
                .filter(input -> input.partitions().first() <= partition
                        && partition
                                < input.partitions().first()
                                        + input.partitions().count())
                .toList();
        assertThat(readers).as("seed %d", seed).isNotEmpty();
        boolean sliced = readers.size() > 1;
        for (int fragment = 1; fragment <= 3; fragment++) {
            List<Integer> all = new ArrayList<>();
            for (int i = 0; i < tasks.getOrDefault(fragment, 0); i++) {
                all.add(i);
            }
            List<Integer> read = new ArrayList<>();
            for (TaskInput reader : readers) {
                List<Integer> own = reader.of(fragment, all);
                if (sliced && fragment == 3) {
                    assertThat(own).as("seed %d", seed).isEqualTo(all);
                } else {
                    read.addAll(own);
                }
            }
            assertThat(read).as("seed %d", seed).isEqualTo(sliced && fragment == 3 ? List.of() : all);
        }
    }

    @Test
    void termsAndInputsComeBack() {
        for (VertexManagerPayload payload : List.of(
                VertexManagerPayload.AS_PLANNED,
                payload(1L << 40, 7, 1L << 41),
                new VertexManagerPayload(
                        1,
                        2,
                        3,
                        4,
                        List.of(),
                        Optional.of(hashed(7, join(JoinKind.FULL, remote(1), remote(2)), BY_KEY)),
                        Optional.empty()))) {
            assertThat(VertexManagerPayload.decode(payload.encode())).isEqualTo(payload);
        }
        for (TaskInput input : List.of(
                whole(7, 9),
                slice(3, new Slice(0, 0), new Slice(4, 6)),
                whole(1, 1).withMirrored(Set.of(0, 5)))) {
            assertThat(TaskInput.decode(input.encode())).isEqualTo(input);
        }
    }

    @Test
    void outputsAreKnownWhenAllTasksHaveSpoken() {
        OutputSizes sizes = new OutputSizes();
        Map<Integer, Integer> tasks = Map.of(1, 2, 2, 1);
        sizes.put(1, 1, PartitionSizes.of(new long[] {4, 0}));
        sizes.put(1, 0, PartitionSizes.of(new long[] {1, 2}));
        assertThat(sizes.outputs(List.of(1, 2), tasks, 2)).isEmpty();
        sizes.put(2, 0, PartitionSizes.of(new long[] {64, Long.MAX_VALUE}));
        List<OutputSizes.Output> outputs =
                List.of(output(1, 0, 1, 2), output(1, 1, 4, 0), output(2, 0, 64, Long.MAX_VALUE));
        assertThat(sizes.outputs(List.of(1, 2), tasks, 2)).hasValue(outputs);
        assertThat(OutputSizes.total(outputs, 2)).containsExactly(69, Long.MAX_VALUE);
        sizes.put(1, 1, PartitionSizes.of(new long[] {0, 0}));
        assertThat(sizes.outputs(List.of(1), tasks, 2)).hasValue(List.of(output(1, 0, 1, 2), output(1, 1, 0, 0)));
        sizes.put(1, 1, PartitionSizes.of(new long[] {1}));
        assertThat(sizes.outputs(List.of(1), tasks, 2)).isEmpty();
    }
}
