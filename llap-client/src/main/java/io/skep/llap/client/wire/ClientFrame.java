package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PlanFile;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskSubmission;
import java.util.List;

/** A frame from the connecting side to a daemon. The sender numbers its calls, and answers carry the number. */
public sealed interface ClientFrame {
    /** @param files those of the plan's files that the sender has */
    record Register(QueryId query, EncodedPlan plan, List<PlanFile> files) implements ClientFrame {}

    record Submit(long call, TaskSubmission submission) implements ClientFrame {}

    record Cancel(long call, QueryId query, TaskAttemptId attempt, String reason) implements ClientFrame {}

    record End(long call, QueryId query, String reason) implements ClientFrame {}

    /** Acknowledges that the daemon leaves: the sender submits no more queries. */
    record Farewell() implements ClientFrame {}

    /** Asks the daemon to drain and stop. */
    record Leave() implements ClientFrame {}

    /** Asks for an answer once all earlier frames have been processed. */
    record Settle(long call) implements ClientFrame {}

    /** Heartbeat of the sender. */
    record Beat() implements ClientFrame {}
}
