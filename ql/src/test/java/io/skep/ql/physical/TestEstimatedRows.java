package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the estimates of operators that the planner records, and of those that follow from them. */
class TestEstimatedRows {
    private static final List<SqlType> TYPES = List.of(PrimitiveType.INT);
    private static final Expression COLUMN = new Expression.InputColumn(0, PrimitiveType.INT);
    private static final List<Datum> ROW = List.of(new Datum.OfLong(1));
    private static final PlanNode THREE = new PlanNode.Values(TYPES, List.of(ROW, ROW, ROW));

    private final EstimatedRows.Collector collector = new EstimatedRows.Collector();

    private static Fragment fragment(int id, PlanNode root) {
        return new Fragment(id, root, Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
    }

    private static PlanNode source(Integer... fragments) {
        return new PlanNode.RemoteSource(List.of(fragments), TYPES, List.of());
    }

    private double rows(PlanNode root) {
        return collector.of(List.of(fragment(0, root))).of(0, 0).orElse(-1);
    }

    @Test
    void recordedRowsCount() {
        PlanNode filter = new PlanNode.Filter(THREE, Expression.Constant.TRUE);
        collector.add(filter, 2);
        assertThat(rows(filter)).isEqualTo(2);
    }

    @Test
    void theFirstRecordCounts() {
        PlanNode filter = new PlanNode.Filter(THREE, Expression.Constant.TRUE);
        collector.add(filter, 2);
        collector.add(new Planned(filter, new Layout.Single(), 1));
        assertThat(rows(filter)).isEqualTo(2);
    }

    /** Equal operators in different places have their own rows. */
    @Test
    void operatorsAreToldApartByIdentity() {
        PlanNode one = new PlanNode.Filter(THREE, Expression.Constant.TRUE);
        PlanNode other = new PlanNode.Filter(THREE, Expression.Constant.TRUE);
        collector.add(one, 2);
        collector.add(other, 1);
        EstimatedRows rows = collector.of(List.of(fragment(0, new PlanNode.UnionAll(List.of(one, other)))));
        assertThat(rows.of(0, 1)).hasValue(2);
        assertThat(rows.of(0, 3)).hasValue(1);
        assertThat(rows.of(0, 0)).hasValue(3);
    }

    @Test
    void derivedRows() {
        assertThat(rows(THREE)).isEqualTo(3);
        assertThat(rows(new PlanNode.Project(THREE, List.of(COLUMN, COLUMN)))).isEqualTo(3);
        assertThat(rows(new PlanNode.Limit(THREE, 0, 2))).isEqualTo(2);
        assertThat(rows(new PlanNode.Limit(THREE, 0, 10))).isEqualTo(3);
        assertThat(rows(new PlanNode.TopN(THREE, List.of(), 1))).isEqualTo(1);
        assertThat(rows(new PlanNode.Expand(THREE, List.of(List.of(COLUMN), List.of(COLUMN)))))
                .isEqualTo(6);
    }

    @Test
    void unknownRowsStayUnknown() {
        PlanNode filter = new PlanNode.Filter(THREE, Expression.Constant.TRUE);
        PlanNode join = new PlanNode.Join(
                PlanNode.JoinKind.INNER, filter, THREE, List.of(0), List.of(0), List.of(false), Optional.empty());
        EstimatedRows rows = collector.of(List.of(fragment(0, new PlanNode.Limit(join, 0, 5))));
        assertThat(rows.of(0, 0)).isEmpty();
        assertThat(rows.of(0, 1)).isEmpty();
        assertThat(rows.of(0, 2)).isEmpty();
        assertThat(rows.of(0, 3)).hasValue(3);
    }

    @Test
    void fragmentsReceiveWhatOthersSend() {
        EstimatedRows rows = collector.of(List.of(fragment(0, THREE), fragment(1, THREE), fragment(2, source(0, 1))));
        assertThat(rows.of(2, 0)).hasValue(6);
    }

    @Test
    void fragmentsThatAreArrangedAnewKeepTheirRows() {
        EstimatedRows rows = collector
                .of(List.of(fragment(0, THREE), fragment(1, new PlanNode.Limit(source(0), 0, 2))))
                .arranged(List.of(1, 0, 1));
        assertThat(rows.of(0, 0)).hasValue(2);
        assertThat(rows.of(1, 0)).hasValue(3);
        assertThat(rows.of(2, 1)).hasValue(3);
    }
}
