package io.skep.engine.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSpilledJoin {
    @TempDir
    private Path folder;

    /**
     * A partition that is larger than the memory is divided into smaller ones. That uses little more memory than a
     * driver may use without a reservation.
     */
    @Test
    void partitionsAreDividedWithLittleMemory() {
        List<Batch> texts = TestBatches.longTexts(32, 80);
        try (PlanRunner runner =
                new PlanRunner(folder, 1 << 20).layout(1, 1, 1).settings(Map.of("skep.operator.max-memory", "1"))) {
            List<SqlType> types = List.of(PrimitiveType.STRING);
            PlanNode left = runner.table(types, texts);
            PlanNode right = runner.table(types, texts);
            PlanNode join = new PlanNode.Join(
                    JoinKind.SEMI, left, right, List.of(0), List.of(0), List.of(false), Optional.empty());
            assertThat(runner.run(join))
                    .hasSize(texts.size() * Batch.TARGET_ROWS)
                    .doesNotHaveDuplicates();
            assertThat(runner.stats().spilledBytes()).isPositive();
        }
    }
}
