package io.skep.service.wire;

import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.ExecutionStats.FragmentStats;
import io.skep.ql.execution.QueryState;
import io.skep.service.session.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hive.service.rpc.thrift.TJobExecutionStatus;
import org.apache.hive.service.rpc.thrift.TProgressUpdateResp;

/** A query's progress as Beeline displays it: one row per stage, in the columns that Hive shows for Tez. */
final class Progress {
    private static final List<String> HEADINGS =
            List.of("STAGES", "MODE", "STATUS", "TOTAL", "COMPLETED", "RUNNING", "PENDING", "FAILED", "KILLED");

    private Progress() {}

    static TProgressUpdateResp of(Operation operation) {
        Optional<ExecutionStats> stats = operation.stats();
        if (stats.isEmpty()) {
            return new TProgressUpdateResp(List.of(), List.of(), 0, TJobExecutionStatus.NOT_AVAILABLE, "", 0);
        }
        return of(stats.get(), operation.state(), operation.started().orElse(operation.created()));
    }

    static TProgressUpdateResp of(ExecutionStats stats, QueryState state, Instant started) {
        List<List<String>> rows = new ArrayList<>();
        int all = 0;
        int finished = 0;
        for (FragmentStats stage : stats.fragments()) {
            rows.add(row(stats.scheduler(), stage));
            all += stage.tasks();
            finished += stage.finishedTasks();
        }
        double part = all == 0 ? 0 : (double) finished / all;
        String footer = "TASKS: " + finished + "/" + all;
        TJobExecutionStatus status =
                state.isAnswered() ? TJobExecutionStatus.COMPLETE : TJobExecutionStatus.IN_PROGRESS;
        return new TProgressUpdateResp(HEADINGS, rows, part, status, footer, started.toEpochMilli());
    }

    private static List<String> row(String scheduler, FragmentStats stage) {
        int pending = stage.tasks() - stage.finishedTasks() - stage.runningTasks() - stage.failedTasks();
        return List.of(
                "Stage " + stage.fragment(),
                scheduler,
                status(stage),
                Integer.toString(stage.tasks()),
                Integer.toString(stage.finishedTasks()),
                Integer.toString(stage.runningTasks()),
                Integer.toString(Math.max(0, pending)),
                Integer.toString(stage.failedTasks()),
                "0");
    }

    private static String status(FragmentStats stage) {
        if (stage.failedTasks() > 0) {
            return "FAILED";
        }
        if (stage.tasks() > 0 && stage.finishedTasks() == stage.tasks()) {
            return "SUCCEEDED";
        }
        return stage.runningTasks() > 0 || stage.finishedTasks() > 0 ? "RUNNING" : "INITED";
    }
}
