package io.skep.engine.operator;

import static io.skep.common.type.PrimitiveType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.spill.SpillSpace;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTableWriteOperator {
    private static final TableLayout TABLE = new TableLayout(
            "d.t", new TableFormat("", "", "", Map.of()), List.of(new Column("a", BIGINT)), List.of(), Map.of());

    @TempDir
    private Path folder;

    private final List<String> aborted = new ArrayList<>();

    /** A file of a file system that deletes nothing. */
    private final class Stuck implements PageSink {
        private final String path;

        Stuck(String path) {
            this.path = path;
        }

        @Override
        public void append(Batch batch) {}

        @Override
        public long bufferedBytes() {
            return 1 << 20;
        }

        @Override
        public WrittenFile finish() {
            throw new SkepException(StandardErrorCode.DISK_FULL, "no room for " + path);
        }

        @Override
        public void abort() {
            aborted.add(path);
            throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot delete " + path);
        }
    }

    @Test
    void memoryIsReleasedWhenFilesCannotBeDeleted() {
        PlanNode.TableWrite node = new PlanNode.TableWrite(
                new PlanNode.Values(List.of(BIGINT, BIGINT), List.of()),
                TABLE,
                "mem:/stage",
                "",
                List.of("p"),
                false,
                false);
        MemoryPool memory = MemoryPool.root("test", 1 << 24);
        try (SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1)) {
            TableWriteOperator write = new TableWriteOperator(
                    node,
                    new TableWriteOperator.Target((_, path) -> new Stuck(path), "000000_0-q", 0, 10, "none"),
                    FunctionRegistry.builtIn(Map.of()),
                    new OperatorContext(memory, spill, Long.MAX_VALUE, () -> false));
            write.add(Batch.of(2, longs(1, 2), longs(1, 2)));
            assertThat(memory.reservedBytes()).isPositive();
            write.finish();
            assertThatThrownBy(write::output).hasMessageContaining("no room");
            assertThatThrownBy(write::close)
                    .hasMessageContaining("cannot delete mem:/stage/p=1")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        }
        assertThat(aborted).containsExactly("mem:/stage/p=1/000000_0-q", "mem:/stage/p=2/000000_0-q");
        assertThat(memory.reservedBytes()).isZero();
    }

    /** The sender of the output needs memory, also where the writers have used up nearly all of it. */
    @Test
    void memoryOfWritersIsReleasedWithTheOutput() {
        PlanNode.TableWrite node = new PlanNode.TableWrite(
                new PlanNode.Values(List.of(BIGINT), List.of()), TABLE, "mem:/stage", "", List.of(), false, false);
        MemoryPool memory = MemoryPool.root("test", 1 << 24);
        try (SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1);
                TableWriteOperator write = new TableWriteOperator(
                        node,
                        new TableWriteOperator.Target((_, path) -> new Finished(path), "000000_0-q", 0, 10, "none"),
                        FunctionRegistry.builtIn(Map.of()),
                        new OperatorContext(memory, spill, Long.MAX_VALUE, () -> false))) {
            write.add(Batch.of(2, longs(1, 2)));
            assertThat(memory.reservedBytes()).isPositive();
            write.finish();
            assertThat(write.output()).isNotNull();
            assertThat(memory.reservedBytes()).isZero();
        }
    }

    /** A file that ends well. */
    private record Finished(String path) implements PageSink {
        @Override
        public void append(Batch batch) {}

        @Override
        public long bufferedBytes() {
            return 1 << 20;
        }

        @Override
        public WrittenFile finish() {
            return new WrittenFile(path, 2, 10);
        }

        @Override
        public void abort() {}
    }

    private static LongVector longs(long... values) {
        return new LongVector(values, null, values.length);
    }
}
