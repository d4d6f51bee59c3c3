package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.OutputId;
import io.skep.llap.client.PlanFile;
import io.skep.llap.client.TaskSubmission;
import java.util.List;

/** What whoever has connected says to a daemon. Calls are numbered by their sender; answers bear the number. */
public sealed interface ClientFrame {
    /** @param files those of the plan's files that the sender has */
    record Register(QueryId query, EncodedPlan plan, List<PlanFile> files) implements ClientFrame {}

    record Submit(long call, TaskSubmission submission) implements ClientFrame {}

    record Cancel(long call, QueryId query, OutputId attempt, String reason) implements ClientFrame {}

    record End(long call, QueryId query, String reason) implements ClientFrame {}

    /** The sender has heard that the daemon leaves: it brings no query any more. */
    record Farewell() implements ClientFrame {}

    /** The daemon is to drain and end. */
    record Leave() implements ClientFrame {}

    /** Asks for a word when all that was said before has been taken in. */
    record Settle(long call) implements ClientFrame {}

    /** The sender is alive. */
    record Beat() implements ClientFrame {}
}
