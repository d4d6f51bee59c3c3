package io.skep.bench.rpc;

import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskSubmission;
import java.util.ArrayList;
import java.util.List;

/**
 * The plan that all contenders run. It contains its own rows, so that the daemon has almost no work except to send
 * them.
 */
final class FragmentWork {
    private static final int ROWS = 1000;

    /** The bytes of a fragment's rows. */
    static final long BYTES = ROWS * 8L;

    private FragmentWork() {}

    static EncodedPlan plan() {
        List<List<Datum>> rows = new ArrayList<>();
        for (long i = 0; i < ROWS; i++) {
            rows.add(List.of(new Datum.OfLong(i * 0x9E3779B97F4A7C15L)));
        }
        Fragment fragment = new Fragment(
                0,
                new PlanNode.Values(List.of(PrimitiveType.BIGINT), rows),
                Fragment.Distribution.SINGLE,
                new Fragment.Output.Gather());
        StageGraph graph =
                new StageGraph(List.of(fragment), List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), ROWS);
        byte[] bytes = PlanCodec.encode(graph);
        return new EncodedPlan(PlanCodec.hash(bytes), LazyEncoded.ofBytes(bytes));
    }

    static TaskAttemptId output(int number) {
        return new TaskAttemptId(0, number, 0);
    }

    static TaskSubmission submission(QueryId query, EncodedPlan plan, int number) {
        return TaskSubmission.of(query, plan.name(), output(number), 1);
    }
}
