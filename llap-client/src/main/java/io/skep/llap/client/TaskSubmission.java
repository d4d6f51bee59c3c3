package io.skep.llap.client;

import io.skep.common.query.QueryId;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One task to run.
 *
 * @param plan name of its plan, see {@link EncodedPlan}
 * @param fragment id in the plan
 * @param task number within the fragment, from 0
 * @param attempt 0 for the first attempt
 * @param outputPartitions the actual or planned number of tasks of the consumer of its output
 * @param splits splits for this task, by scan id
 * @param inputs by producing fragment: the location of each of its tasks' outputs
 * @param reads the partitions of these outputs that this task reads; a broadcast output has only one
 * @param mirroredJoins numbers of the fragment's joins that are built from their left side
 * @param reported columns of its output whose values it reports with its statistics
 * @param retainOutput keep the output until the query ends, because consumers may be run again
 * @param drivers how many executors may work on it at once
 * @param settings see StageGraphRun
 */
public record TaskSubmission(
        QueryId query,
        String plan,
        int fragment,
        int task,
        int attempt,
        int outputPartitions,
        Map<Integer, List<LazyEncoded>> splits,
        Map<Integer, List<OutputLocation>> inputs,
        PartitionRange reads,
        Set<Integer> mirroredJoins,
        List<Integer> reported,
        boolean retainOutput,
        int drivers,
        Map<String, String> settings) {
    public TaskSubmission {
        splits = Map.copyOf(splits);
        inputs = Map.copyOf(inputs);
        mirroredJoins = Set.copyOf(mirroredJoins);
        reported = List.copyOf(reported);
        settings = Map.copyOf(settings);
    }

    /** Creates a task without splits and inputs, which one executor runs as the plan has it. */
    public static TaskSubmission of(QueryId query, String plan, TaskAttemptId attempt, int outputPartitions) {
        return new TaskSubmission(
                query,
                plan,
                attempt.fragment(),
                attempt.task(),
                attempt.attempt(),
                outputPartitions,
                Map.of(),
                Map.of(),
                PartitionRange.of(attempt.task()),
                Set.of(),
                List.of(),
                false,
                1,
                Map.of());
    }

    /** Returns the same task with other inputs, and the partitions of them that it reads. */
    public TaskSubmission withInputs(Map<Integer, List<OutputLocation>> others, PartitionRange partitions) {
        return new TaskSubmission(
                query,
                plan,
                fragment,
                task,
                attempt,
                outputPartitions,
                splits,
                others,
                partitions,
                mirroredJoins,
                reported,
                retainOutput,
                drivers,
                settings);
    }

    /** Returns the same task, whose output is kept until the query ends or not. */
    public TaskSubmission withRetainedOutput(boolean retained) {
        return new TaskSubmission(
                query,
                plan,
                fragment,
                task,
                attempt,
                outputPartitions,
                splits,
                inputs,
                reads,
                mirroredJoins,
                reported,
                retained,
                drivers,
                settings);
    }
}
