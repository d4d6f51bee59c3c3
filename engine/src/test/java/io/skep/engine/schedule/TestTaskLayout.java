package io.skep.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TestTaskLayout {
    private static final List<SqlType> TYPES = List.of(PrimitiveType.BIGINT);
    private static final TableFormat FORMAT = new TableFormat("in", "out", "serde", Map.of());
    private static final List<Column> COLUMNS = List.of(new Column("n", PrimitiveType.BIGINT));
    private static final TaskLayout.SplitAssigner IN_TURN = (scan, splits) -> {
        int[] daemons = new int[splits.size()];
        for (int i = 0; i < daemons.length; i++) {
            daemons[i] = i % 2;
        }
        return daemons;
    };

    @Test
    void everySplitGoesToOneTask() {
        TaskLayout layout = TaskLayout.of(run(1e6, 7), List.of(4, 4), IN_TURN);
        List<TaskLayout.TaskPlace> tasks = layout.tasks(0);
        assertThat(tasks).hasSize(2);
        assertThat(tasks.get(0).splits().get(5)).hasSize(4);
        assertThat(tasks.get(1).splits().get(5)).hasSize(3);
        assertThat(tasks.get(0).drivers()).isEqualTo(4);
        assertThat(tasks.get(1).drivers()).isEqualTo(3);
    }

    @Test
    void hashFragmentsUseAllExecutorsOfLargeQueries() {
        TaskLayout layout = TaskLayout.of(run(1e6, 7), List.of(3, 2), IN_TURN);
        assertThat(layout.tasks(1)).extracting(TaskLayout.TaskPlace::daemon).containsExactly(0, 0, 0, 1, 1);
        assertThat(layout.outputPartitions(run(1e6, 7).graph(), 0)).isEqualTo(5);
    }

    @Test
    void hashFragmentsGetNoMoreTasksThanTheirRowsAreWorth() {
        List<Integer> executors = List.of(4, 4, 4);
        assertThat(TaskLayout.of(run(1000, 7), executors, IN_TURN).tasks(1)).hasSize(1);
        assertThat(TaskLayout.of(run(250_000, 7), executors, IN_TURN).tasks(1))
                .extracting(TaskLayout.TaskPlace::daemon)
                .containsExactly(0, 0, 0, 0, 1);
        assertThat(TaskLayout.of(run(1e6, 7), executors, IN_TURN).tasks(1))
                .extracting(TaskLayout.TaskPlace::daemon)
                .containsExactly(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2);
    }

    @Test
    void whatFollowsAScanIsWhereMostOfItIsRead() {
        TaskLayout.SplitAssigner mostOnTheLast = (scan, splits) -> {
            int[] daemons = new int[splits.size()];
            for (int i = 0; i < daemons.length; i++) {
                daemons[i] = i < 2 ? 0 : 2;
            }
            return daemons;
        };
        TaskLayout layout = TaskLayout.of(run(100_000, 7), List.of(4, 4, 4), mostOnTheLast);
        assertThat(layout.tasks(0)).extracting(TaskLayout.TaskPlace::daemon).containsExactly(0, 2);
        assertThat(layout.tasks(1)).extracting(TaskLayout.TaskPlace::daemon).containsExactly(2, 2);
        assertThat(layout.tasks(2)).extracting(TaskLayout.TaskPlace::daemon).containsExactly(2);
    }

    @Test
    void workThatReadsNothingIsTogetherWhereTheAssignerSays() {
        TaskLayout.SplitAssigner second = new TaskLayout.SplitAssigner() {
            @Override
            public int[] assign(PlanNode.Scan scan, List<Split> splits) {
                return new int[splits.size()];
            }

            @Override
            public int anywhere() {
                return 1;
            }
        };
        TaskLayout layout = TaskLayout.of(run(100, 0), List.of(4, 4), second);
        assertThat(layout.fragments().values())
                .allSatisfy(tasks -> assertThat(tasks)
                        .extracting(TaskLayout.TaskPlace::daemon)
                        .containsExactly(1));
    }

    @Test
    void smallQueriesHaveOneTaskEach() {
        TaskLayout layout = TaskLayout.of(run(100, 1), List.of(8), (scan, splits) -> new int[splits.size()]);
        assertThat(layout.tasks(0)).hasSize(1);
        assertThat(layout.tasks(1)).hasSize(1);
        assertThat(layout.tasks(2)).hasSize(1);
        assertThat(layout.tasks(2).getFirst().drivers()).isEqualTo(1);
    }

    @Test
    void withoutSplitsThereIsStillATaskToSayThatThereIsNothing() {
        TaskLayout layout = TaskLayout.of(run(100, 0), List.of(8), (scan, splits) -> new int[splits.size()]);
        assertThat(layout.tasks(0)).hasSize(1);
        assertThat(layout.outputPartitions(run(100, 0).graph(), 2)).isEqualTo(1);
    }

    @Test
    void aSharedOutputHasPartitionsForItsLargestConsumer() {
        Fragment source = new Fragment(0, scan(), Fragment.Distribution.SOURCE, new Fragment.Output.Broadcast());
        Fragment one = new Fragment(1, remote(0), Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        Fragment many = new Fragment(2, remote(0), Fragment.Distribution.HASH, new Fragment.Output.Gather());
        PlanNode both = new PlanNode.UnionAll(List.of(remote(1), remote(2)));
        Fragment root = new Fragment(3, both, Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        StageGraph graph = new StageGraph(List.of(source, one, many, root), List.of("n"), TYPES, List.of(), 1e9);
        TaskLayout layout = TaskLayout.of(
                new StageGraphRun(new QueryId("q"), graph, Map.of(), Map.of()),
                List.of(6),
                (scan, splits) -> new int[0]);
        assertThat(layout.outputPartitions(graph, 0)).isEqualTo(6);
        assertThat(TaskLayout.producers(root.root())).containsExactlyInAnyOrder(1, 2);
    }

    private static StageGraphRun run(double rows, int splitCount) {
        Fragment source = new Fragment(0, scan(), Fragment.Distribution.SOURCE, new Fragment.Output.Hash(List.of(0)));
        Fragment hash = new Fragment(1, remote(0), Fragment.Distribution.HASH, new Fragment.Output.Gather());
        Fragment root = new Fragment(2, remote(1), Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        StageGraph graph = new StageGraph(List.of(source, hash, root), List.of("n"), TYPES, List.of(), rows);
        List<Split> splits = new ArrayList<>();
        for (int i = 0; i < splitCount; i++) {
            splits.add(new Split(new FileVersion("file:/" + i, 10, 0), 0, 10, FORMAT, COLUMNS, List.of()));
        }
        return new StageGraphRun(new QueryId("q"), graph, Map.of(5, splits), Map.of());
    }

    private static PlanNode scan() {
        TableLayout table = new TableLayout("db.t", FORMAT, COLUMNS, List.of(), Map.of());
        return new PlanNode.Scan(5, new ScanRequest(table, List.of(0), List.of()), Optional.empty());
    }

    private static PlanNode remote(int fragment) {
        return new PlanNode.RemoteSource(List.of(fragment), TYPES, List.of());
    }
}
