package io.skep.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.AggregateStep;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.SortKey;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows of many columns are returned in batches of few rows, regardless of the operator that creates them, and no row is
 * lost.
 */
final class TestWideBatches {
    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final Expression FIRST = new Expression.InputColumn(0, BIGINT);
    private static final int COLUMNS = 1_500;
    private static final int ROWS = 3_000;
    private static final int MAX_ROWS = BatchRows.of(Collections.nCopies(COLUMNS, BIGINT));

    @TempDir
    private Path folder;

    private PlanRunner runner = new PlanRunner(Path.of("unused"), 0);

    @BeforeEach
    void open() {
        runner = new PlanRunner(folder, 1 << 30).layout(1, 1, 1);
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private PlanNode numbers() {
        long[] values = new long[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[i] = i;
        }
        List<Batch> batches = new ArrayList<>();
        Batch all = Batch.of(ROWS, TestBatches.longs(values));
        for (int from = 0; from < ROWS; from += Batch.TARGET_ROWS) {
            batches.add(all.slice(from, Math.min(Batch.TARGET_ROWS, ROWS - from)));
        }
        return runner.table(List.of(BIGINT), batches);
    }

    /** Each row contains its number in all columns. */
    private PlanNode wide() {
        return new PlanNode.Project(numbers(), Collections.nCopies(COLUMNS, FIRST));
    }

    private static Expression below(long bound) {
        Expression constant = new Expression.Constant(new Datum.OfLong(bound), BIGINT);
        return new Expression.Call("<", List.of(FIRST, constant), PrimitiveType.BOOLEAN);
    }

    @Test
    void projections() {
        assertRows(wide(), ROWS, sum(ROWS));
        assertRows(new PlanNode.Filter(wide(), below(1_000)), 1_000, sum(1_000));
        assertRows(
                new PlanNode.Project(new PlanNode.Filter(numbers(), below(2_500)), Collections.nCopies(COLUMNS, FIRST)),
                2_500,
                sum(2_500));
        List<Expression> same = Collections.nCopies(COLUMNS, FIRST);
        assertRows(new PlanNode.Expand(numbers(), List.of(same, same)), 2 * ROWS, 2 * sum(ROWS));
    }

    @Test
    void valuesAndTableFunctions() {
        List<Datum> row = Collections.nCopies(COLUMNS, new Datum.OfLong(1));
        PlanNode values = new PlanNode.Values(Collections.nCopies(COLUMNS, BIGINT), Collections.nCopies(1_000, row));
        assertRows(values, 1_000, 1_000);
        List<Datum> numbers = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            numbers.add(new Datum.OfLong(1));
        }
        Expression array = new Expression.Constant(new Datum.OfList(numbers), new ArrayType(BIGINT));
        PlanNode few = new PlanNode.Values(Collections.nCopies(COLUMNS, BIGINT), List.of(row, row));
        assertRows(
                new PlanNode.TableFunction(few, "explode", List.of(array), List.of(BIGINT), false), 2 * ROWS, 2 * ROWS);
    }

    @Test
    void sorts() {
        List<SortKey> descending = List.of(new SortKey(3, false, false));
        for (String memory : List.of("1000000000", "4000000")) {
            runner.settings(Map.of("skep.operator.max-memory", memory));
            assertRows(new PlanNode.Sort(wide(), descending), ROWS, sum(ROWS));
        }
        assertRows(new PlanNode.TopN(wide(), descending, 2_000), 2_000, sum(ROWS) - sum(ROWS - 2_000));
    }

    @Test
    void joins() {
        for (String memory : List.of("1000000000", "4000000")) {
            runner.settings(Map.of("skep.operator.max-memory", memory));
            for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.LEFT, JoinKind.RIGHT, JoinKind.FULL)) {
                PlanNode join = new PlanNode.Join(
                        kind, numbers(), wide(), List.of(0), List.of(0), List.of(false), Optional.empty());
                assertRows(join, ROWS, sum(ROWS));
            }
        }
        PlanNode unmatched = new PlanNode.Join(
                JoinKind.RIGHT,
                new PlanNode.Filter(numbers(), below(-1)),
                wide(),
                List.of(0),
                List.of(0),
                List.of(false),
                Optional.empty());
        assertThat(batches(unmatched)).allMatch(batch -> batch.rowCount() <= MAX_ROWS);
        assertThat(batches(unmatched).stream().mapToInt(Batch::rowCount).sum()).isEqualTo(ROWS);
    }

    @Test
    void aggregations() {
        List<AggregateCall> calls = Collections.nCopies(
                COLUMNS - 1,
                new AggregateCall("max", false, List.of(0), OptionalInt.empty(), List.of(BIGINT), BIGINT, BIGINT));
        PlanNode partial = new PlanNode.Aggregate(numbers(), AggregateStep.PARTIAL, List.of(0), calls);
        assertRows(partial, ROWS, sum(ROWS));
        List<AggregateCall> ofStates = new ArrayList<>();
        for (int i = 1; i < COLUMNS; i++) {
            ofStates.add(
                    new AggregateCall("max", false, List.of(i), OptionalInt.empty(), List.of(BIGINT), BIGINT, BIGINT));
        }
        for (String memory : List.of("1000000000", "4000000")) {
            runner.settings(Map.of("skep.operator.max-memory", memory));
            assertRows(new PlanNode.Aggregate(partial, AggregateStep.FINAL, List.of(0), ofStates), ROWS, sum(ROWS));
        }
    }

    private static long sum(long rows) {
        return rows * (rows - 1) / 2;
    }

    private List<Batch> batches(PlanNode node) {
        return runner.batches(
                List.of(new Fragment(0, node, Fragment.Distribution.SINGLE, new Fragment.Output.Gather())));
    }

    /** Asserts that all columns of a row are equal, and that the values of a column have the expected sum. */
    private void assertRows(PlanNode node, int expectedRows, long expectedSum) {
        int rows = 0;
        long sum = 0;
        for (Batch batch : batches(node)) {
            assertThat(batch.rowCount()).isLessThanOrEqualTo(MAX_ROWS);
            rows += batch.rowCount();
            long[] first = values(batch, 0);
            for (int i = 0; i < first.length; i++) {
                sum += first[i];
            }
            for (int column = 1; column < batch.columnCount(); column += 149) {
                assertThat(values(batch, column)).isEqualTo(first);
            }
        }
        assertThat(rows).isEqualTo(expectedRows);
        assertThat(sum).isEqualTo(expectedSum);
    }

    private static long[] values(Batch batch, int column) {
        long[] values = new long[batch.rowCount()];
        LongVector flat = (LongVector) batch.column(column).flatten();
        System.arraycopy(flat.values(), 0, values, 0, values.length);
        return values;
    }
}
