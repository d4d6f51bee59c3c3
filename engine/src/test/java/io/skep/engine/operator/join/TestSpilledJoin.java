package io.skep.engine.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSpilledJoin {
    private static final int BATCHES = 32;
    private static final int ROWS = BATCHES * Batch.TARGET_ROWS;

    @TempDir
    private Path folder;

    /**
     * A partition that is larger than the memory is divided into smaller ones. That uses little more memory than a
     * driver may use without a reservation.
     */
    @Test
    void partitionsAreDividedWithLittleMemory() {
        try (PlanRunner runner =
                new PlanRunner(folder, 1 << 20).layout(1, 1, 1).settings(Map.of("skep.operator.max-memory", "1"))) {
            PlanNode join = new PlanNode.Join(
                    JoinKind.SEMI,
                    texts(runner),
                    texts(runner),
                    List.of(0),
                    List.of(0),
                    List.of(false),
                    Optional.empty());
            assertThat(runner.run(join)).hasSize(ROWS).doesNotHaveDuplicates();
            assertThat(runner.stats().spilledBytes()).isPositive();
        }
    }

    /** Returns a scan of different texts of 1,280 bytes, the same ones each time. */
    private static PlanNode texts(PlanRunner runner) {
        Random random = new Random(29);
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            @Nullable String[] texts = new String[Batch.TARGET_ROWS];
            for (int row = 0; row < texts.length; row++) {
                texts[row] = String.format("%016x", random.nextLong()).repeat(80);
            }
            batches.add(Batch.of(texts.length, TestBatches.texts(texts)));
        }
        return runner.table(List.of(PrimitiveType.STRING), batches);
    }
}
