package io.skep.tez;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.llap.client.TaskSubmission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of a query.
 *
 * @param rows of integers, in their order
 * @param tasks that were submitted, including those that were lost
 */
record QueryOutcome(List<List<Datum>> rows, List<TaskSubmission> tasks, ExecutionStats stats) {
    /** Reads all rows of a query. */
    static List<List<Datum>> rows(StageGraphExecution execution) {
        List<List<Datum>> rows = new ArrayList<>();
        for (Optional<Batch> next = execution.next().join();
                next.isPresent();
                next = execution.next().join()) {
            add(next.get(), rows);
        }
        return rows;
    }

    private static void add(Batch batch, List<List<Datum>> rows) {
        for (int row = 0; row < batch.rowCount(); row++) {
            List<Datum> values = new ArrayList<>();
            for (Vector column : batch.columns()) {
                values.add(Datum.of(column, row, PrimitiveType.BIGINT));
            }
            rows.add(values);
        }
    }

    /** Returns the tasks of a fragment, in the order of their numbers. */
    List<TaskSubmission> tasks(int fragment) {
        return tasks.stream()
                .filter(task -> task.fragment() == fragment)
                .sorted(Comparator.comparingInt(TaskSubmission::task))
                .toList();
    }
}
