package io.skep.tez;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonLoad;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.tez.container.ShuffleFiles;
import io.skep.tez.dag.TezDaemons;
import io.skep.tez.vertex.EvenSplits;
import io.skep.tez.wire.ContainerConfig;
import io.skep.tez.wire.ContainerVertex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestContainerVertices {
    @Test
    void everythingComesBack() {
        ContainerVertex vertex = new ContainerVertex(
                "query",
                "hash",
                "hdfs://host/folder",
                Map.of("/a.jar", "file-0-a.jar"),
                4,
                true,
                false,
                5,
                1L << 40,
                2,
                Map.of("a", "b".repeat(100_000)),
                List.of(),
                List.of(),
                false,
                List.of(new ContainerVertex.Share(1, 0, 7), new ContainerVertex.Share(2, 1L << 33, 0)));
        ContainerVertex pruned = vertex.withPruning(List.of(3, 4), List.of(7), true);
        assertThat(ContainerVertex.fromBytes(pruned.toBytes()))
                .isEqualTo(pruned)
                .isNotEqualTo(vertex);
        assertThat(ContainerVertex.fromBytes(vertex.toBytes())).isEqualTo(vertex);
    }

    @Test
    void splitsAreDealtOutByBytes() {
        List<Split> splits = LongStream.of(10, 100, 20, 70, 0)
                .mapToObj(length -> new Split(
                        new FileVersion("file:/" + length, length, 0),
                        0,
                        length,
                        new TableFormat("in", "out", "serde", Map.of()),
                        List.of(),
                        List.of()))
                .toList();
        int[] slots = EvenSplits.assign(splits, 2);
        long[] bytes = new long[2];
        for (int i = 0; i < slots.length; i++) {
            bytes[slots[i]] += splits.get(i).length();
        }
        Arrays.sort(bytes);
        assertThat(bytes).containsExactly(100, 100);
    }

    @Test
    void onlyOutputsOfEarlierDagsAreDeleted(@TempDir Path folder) throws IOException {
        Path earlier = Files.createDirectories(folder.resolve("output/attempt_1_0001_3_00_000000_0_10001"));
        Files.createFile(earlier.resolve("file.out"));
        Path ofDag = Files.createDirectories(folder.resolve("dag_3/output"));
        Path current = Files.createDirectories(folder.resolve("output/attempt_1_0001_12_00_000000_0_10001"));
        Path other = Files.createDirectories(folder.resolve("filecache/3"));
        ShuffleFiles.deleteEarlier(
                new String[] {folder.toString(), folder.resolve("none").toString()}, 12);
        assertThat(earlier).doesNotExist();
        assertThat(ofDag.getParent()).doesNotExist();
        assertThat(current).exists();
        assertThat(other).exists();
    }

    @Test
    void modeAndSizeAreRead() {
        assertThat(ContainerConfig.of(Map.of()).containers()).isFalse();
        assertThat(ContainerConfig.inContainers(Map.of("hive.llap.execution.mode", "none")))
                .isTrue();
        ContainerConfig large = ContainerConfig.of(Map.of(
                "hive.execution.mode", "container",
                "hive.tez.container.size", "4096",
                "hive.tez.cpu.vcores", "2"));
        assertThat(large.containers()).isTrue();
        String options = ContainerConfig.javaOptions(Map.of("hive.tez.java.opts", " -Dx=y "));
        assertThat(large.flags(options))
                .contains("-Xmx3456m", "-XX:ActiveProcessorCount=2")
                .endsWith(" -Dx=y");
        assertThatThrownBy(() -> ContainerConfig.of(Map.of("hive.tez.container.size", "100")))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("hive.tez.container.size");
    }

    @Test
    void daemonsAreFullWhenEachHasStepsThatWait() {
        assertThat(TezDaemons.areFull(List.of())).isTrue();
        assertThat(TezDaemons.areFull(List.of(new Loaded(4, 4), new Loaded(2, 5))))
                .isTrue();
        assertThat(TezDaemons.areFull(List.of(new Loaded(4, 4), new Loaded(8, 5))))
                .isFalse();
        assertThat(TezDaemons.areFull(List.of(new Loaded(1, 0)))).isFalse();
    }

    /** A daemon that only reports its load. */
    private record Loaded(int executors, int waiting) implements DaemonConnection {
        @Override
        public DaemonIdentity identity() {
            return new DaemonIdentity(0, "one", executors);
        }

        @Override
        public DaemonLoad load() {
            return new DaemonLoad(executors, waiting);
        }

        @Override
        public void register(QueryId query, EncodedPlan plan) {
            throw new IllegalStateException();
        }

        @Override
        public CompletableFuture<TaskStats> submit(TaskSubmission submission) {
            throw new IllegalStateException();
        }

        @Override
        public PageStream open(QueryId query, TaskAttemptId output, int partition) {
            throw new IllegalStateException();
        }

        @Override
        public CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason) {
            throw new IllegalStateException();
        }

        @Override
        public CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason) {
            throw new IllegalStateException();
        }
    }
}
