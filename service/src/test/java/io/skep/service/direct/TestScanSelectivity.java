package io.skep.service.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.skep.common.query.OperatorTimes;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RuntimeFilter;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.ValueReport;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TestScanSelectivity {
    private static final TableLayout TABLE = new TableLayout(
            "db.t",
            new TableFormat("in", "out", "serde", Map.of()),
            List.of(new Column("a", PrimitiveType.BIGINT), new Column("b", PrimitiveType.BIGINT)),
            List.of(),
            Map.of());
    private static final PlanNode.Scan ALL = scan(List.of(), List.of());
    private static final PlanNode.Scan ONE_ACCOUNT = scan(List.of(equal(0, 7)), List.of());

    private final ScanSelectivity shares = new ScanSelectivity();

    private static PlanNode.Scan scan(List<ColumnPredicate> conditions, List<RuntimeFilter> filters) {
        return new PlanNode.Scan(
                1, new ScanRequest(TABLE, List.of(0, 1), conditions), Optional.empty(), filters, List.of());
    }

    private static ColumnPredicate equal(int column, long value) {
        return new ColumnPredicate.In(column, List.of(new Datum.OfLong(value)));
    }

    private static TaskStats task(long groupsRead, long groupsSkipped) {
        return new TaskStats(
                0,
                OperatorTimes.NONE,
                List.of(),
                0,
                0,
                0,
                groupsRead,
                groupsSkipped,
                0,
                0,
                0,
                0,
                PartitionSizes.NONE,
                ValueReport.NONE);
    }

    @Test
    void aScanIsExpectedToReadWhatItsLikesHaveRead() {
        assertThat(shares.of(ONE_ACCOUNT)).isEqualTo(1);
        shares.recordFinishedTask(ONE_ACCOUNT, task(1, 19));
        assertThat(shares.of(ONE_ACCOUNT)).isEqualTo(0.05);
        assertThat(shares.of(scan(List.of(equal(0, 8)), List.of()))).isEqualTo(0.05);
        for (int i = 0; i < 100; i++) {
            shares.recordFinishedTask(ONE_ACCOUNT, task(10, 10));
        }
        assertThat(shares.of(ONE_ACCOUNT)).isEqualTo(0.5, within(0.01));
    }

    @Test
    void otherConditionsSayNothingOfIt() {
        shares.recordFinishedTask(ONE_ACCOUNT, task(1, 19));
        assertThat(shares.of(scan(List.of(equal(1, 7)), List.of()))).isEqualTo(1);
        assertThat(shares.of(scan(List.of(equal(0, 7)), List.of(new RuntimeFilter(0, 1)))))
                .isEqualTo(1);
    }

    @Test
    void withoutAConditionAllIsRead() {
        shares.recordFinishedTask(ALL, task(1, 19));
        assertThat(shares.of(ALL)).isEqualTo(1);
    }

    @Test
    void aFormatWithoutRowGroupsSaysNothing() {
        shares.recordFinishedTask(ONE_ACCOUNT, task(0, 0));
        assertThat(shares.of(ONE_ACCOUNT)).isEqualTo(1);
    }
}
