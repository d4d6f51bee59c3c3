package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import java.util.Locale;

/**
 * Chooses who runs a query, by {@code skep.scheduler}: {@code direct}, {@code tez}, or {@code auto} (the default): directly
 * unless more than {@code skep.direct.max-rows} rows are expected to be read, and once more through Tez when that fails for
 * want of resources before the first row has gone out.
 */
public final class SchedulerChoice implements StageGraphRunner {
    public static final String SCHEDULER = "skep.scheduler";
    public static final String MAX_DIRECT_ROWS = "skep.direct.max-rows";

    private static final double DEFAULT_MAX_ROWS = 1e9;

    private final StageGraphRunner direct;
    private final StageGraphRunner tez;

    public SchedulerChoice(StageGraphRunner direct, StageGraphRunner tez) {
        this.direct = direct;
        this.tez = tez;
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        String choice = run.settings().getOrDefault(SCHEDULER, "auto").strip().toLowerCase(Locale.ROOT);
        return switch (choice) {
            case "direct" -> direct.start(run);
            case "tez" -> tez.start(run);
            case "auto", "" -> automatic(run);
            default ->
                throw new SkepException(
                                StandardErrorCode.INVALID_CONFIGURATION,
                                SCHEDULER + " is '" + choice + "', which is not a scheduler")
                        .withHint("use direct, tez or auto");
        };
    }

    private StageGraphExecution automatic(StageGraphRun run) {
        if (run.graph().estimatedRows() > maxDirectRows(run)) {
            return tez.start(run);
        }
        boolean writes = run.graph().fragments().stream().map(Fragment::root).anyMatch(SchedulerChoice::writes);
        return writes ? direct.start(run) : new RetriedExecution(direct.start(run), () -> tez.start(again(run)));
    }

    private static StageGraphRun again(StageGraphRun run) {
        QueryId id = new QueryId(run.queryId() + "-tez");
        return new StageGraphRun(id, run.graph(), run.splits(), run.settings());
    }

    private static boolean writes(PlanNode node) {
        return node instanceof PlanNode.TableWrite || node.inputs().stream().anyMatch(SchedulerChoice::writes);
    }

    private static double maxDirectRows(StageGraphRun run) {
        String text = run.settings().get(MAX_DIRECT_ROWS);
        if (text == null || text.isBlank()) {
            return DEFAULT_MAX_ROWS;
        }
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, MAX_DIRECT_ROWS + " is '" + text + "', not a number", e);
        }
    }
}
