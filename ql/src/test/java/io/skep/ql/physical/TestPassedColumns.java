package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.AggregateStep;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests through which operators a column can be traced, and which inputs can be reduced by it. */
class TestPassedColumns {
    private static final SqlType INT = PrimitiveType.INT;
    private static final PlanNode THREE = new PlanNode.Values(List.of(INT, INT, INT), List.of());
    private static final PlanNode TWO = new PlanNode.Values(List.of(INT, INT), List.of());
    private static final List<SortKey> BY_FIRST = List.of(new SortKey(0, true, true));

    private static Expression column(int index) {
        return new Expression.InputColumn(index, INT);
    }

    private static PlanNode join(JoinKind kind) {
        return new PlanNode.Join(kind, THREE, TWO, List.of(0), List.of(1), List.of(false), Optional.empty());
    }

    private static OptionalInt at(int column) {
        return OptionalInt.of(column);
    }

    @Test
    void operatorsThatKeepColumns() {
        PlanNode filter = new PlanNode.Filter(THREE, Expression.Constant.TRUE);
        PlanNode sort = new PlanNode.Sort(THREE, BY_FIRST);
        for (PlanNode node : List.of(filter, sort)) {
            assertThat(PassedColumns.origin(node, 2)).isEqualTo(at(2));
            assertThat(PassedColumns.reducible(node, 0, 2)).isEqualTo(at(2));
        }
    }

    @Test
    void projectionsPassPlainColumns() {
        Expression sum = new Expression.Call("+", List.of(column(0), column(1)), INT);
        PlanNode project = new PlanNode.Project(THREE, List.of(column(2), sum));
        assertThat(PassedColumns.reducible(project, 0, 0)).isEqualTo(at(2));
        assertThat(PassedColumns.reducible(project, 0, 1)).isEmpty();
    }

    /** Fewer input rows would let other rows into the limit. */
    @Test
    void limitsPassValuesButCannotBeReduced() {
        PlanNode top = new PlanNode.TopN(THREE, BY_FIRST, 5);
        PlanNode limit = new PlanNode.Limit(THREE, 0, 5);
        for (PlanNode node : List.of(top, limit)) {
            assertThat(PassedColumns.origin(node, 1)).isEqualTo(at(1));
            assertThat(PassedColumns.reducible(node, 0, 1)).isEmpty();
        }
    }

    @Test
    void aggregationsPassTheirKeys() {
        AggregateCall count = new AggregateCall("count", false, List.of(), OptionalInt.empty(), List.of(), INT, INT);
        PlanNode aggregate = new PlanNode.Aggregate(THREE, AggregateStep.SINGLE, List.of(2, 0), List.of(count));
        assertThat(PassedColumns.reducible(aggregate, 0, 0)).isEqualTo(at(2));
        assertThat(PassedColumns.reducible(aggregate, 0, 1)).isEqualTo(at(0));
        assertThat(PassedColumns.reducible(aggregate, 0, 2)).isEmpty();
    }

    @Test
    void windowsAreReducedByTheirPartitionColumnsOnly() {
        WindowCall.Frame frame = new WindowCall.Frame(
                WindowCall.Unit.ROWS, new WindowCall.Bound.UnboundedPreceding(), new WindowCall.Bound.CurrentRow());
        WindowCall rank = new WindowCall("rank", false, false, List.of(), List.of(), frame, INT);
        PlanNode window = new PlanNode.Window(THREE, List.of(1), BY_FIRST, List.of(rank));
        assertThat(PassedColumns.reducible(window, 0, 1)).isEqualTo(at(1));
        assertThat(PassedColumns.reducible(window, 0, 0)).isEmpty();
        assertThat(PassedColumns.origin(window, 0)).isEqualTo(at(0));
        assertThat(PassedColumns.origin(window, 3)).isEmpty();
    }

    @Test
    void tableFunctionsPassTheColumnsOfTheirInput() {
        PlanNode function = new PlanNode.TableFunction(THREE, "explode", List.of(column(0)), List.of(INT), false);
        assertThat(PassedColumns.reducible(function, 0, 2)).isEqualTo(at(2));
        assertThat(PassedColumns.reducible(function, 0, 3)).isEmpty();
    }

    @Test
    void unionsAreReducedInEachInput() {
        PlanNode union = new PlanNode.UnionAll(List.of(TWO, TWO));
        assertThat(PassedColumns.reducible(union, 0, 1)).isEqualTo(at(1));
        assertThat(PassedColumns.reducible(union, 1, 1)).isEqualTo(at(1));
    }

    @ParameterizedTest
    @EnumSource(JoinKind.class)
    void joinsAreReducedOnTheSidesWhoseRowsGoWithoutAMatch(JoinKind kind) {
        boolean left = kind != JoinKind.RIGHT && kind != JoinKind.FULL;
        boolean right = kind == JoinKind.INNER || kind == JoinKind.RIGHT;
        assertThat(PassedColumns.reducible(join(kind), 0, 1)).isEqualTo(left ? at(1) : OptionalInt.empty());
        assertThat(PassedColumns.reducible(join(kind), 1, 4)).isEqualTo(right ? at(1) : OptionalInt.empty());
    }

    @Test
    void aJoinsColumnComesFromOneSide() {
        assertThat(PassedColumns.reducible(join(JoinKind.INNER), 0, 3)).isEmpty();
        assertThat(PassedColumns.reducible(join(JoinKind.INNER), 1, 2)).isEmpty();
    }

    @Test
    void leavesHaveNoInput() {
        assertThat(PassedColumns.origin(THREE, 0)).isEmpty();
        assertThat(PassedColumns.origin(new PlanNode.RemoteSource(List.of(0), List.of(INT), List.of()), 0))
                .isEmpty();
    }

    /** A value of the output may be one that the expansion has set to null. */
    @Test
    void expansionsPassNothing() {
        PlanNode expand = new PlanNode.Expand(TWO, List.of(List.of(column(0)), List.of(column(1))));
        assertThat(PassedColumns.reducible(expand, 0, 0)).isEmpty();
    }
}
