package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.ql.execution.RetryPolicy.Scheduler;
import io.skep.ql.execution.Schedulers;
import io.skep.tez.wire.ContainerConfig;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Chooses the first scheduler of a query by {@code skep.scheduler}: {@code direct}, {@code tez}, or {@code auto} (the
 * default). {@code auto} runs a query directly unless it is expected to read more than {@code skep.direct.max-rows}
 * rows. Queries in containers of YARN always run through Tez.
 */
public final class SchedulerChoice implements Schedulers {
    public static final String SCHEDULER = "skep.scheduler";
    public static final String MAX_DIRECT_ROWS = "skep.direct.max-rows";

    private static final double DEFAULT_MAX_ROWS = 1e9;

    private final StageGraphRunner direct;
    private final StageGraphRunner tez;
    private final Consumer<SkepException> failures;

    /** @param failures receives the failure of each attempt before the next one starts */
    public SchedulerChoice(StageGraphRunner direct, StageGraphRunner tez, Consumer<SkepException> failures) {
        this.direct = direct;
        this.tez = tez;
        this.failures = failures;
    }

    @Override
    public Choice choose(StageGraphRun run) {
        if (ContainerConfig.inContainers(run.settings())) {
            return new Choice(Scheduler.TEZ, true);
        }
        String choice = run.settings().getOrDefault(SCHEDULER, "auto").strip().toLowerCase(Locale.ROOT);
        return switch (choice) {
            case "direct" -> new Choice(Scheduler.DIRECT, false);
            case "tez" -> new Choice(Scheduler.TEZ, true);
            case "auto", "" -> automatic(run);
            default ->
                throw new SkepException(
                                StandardErrorCode.INVALID_CONFIGURATION,
                                SCHEDULER + " is '" + choice + "', which is not a scheduler")
                        .withHint("use direct, tez or auto");
        };
    }

    private static Choice automatic(StageGraphRun run) {
        boolean isLarge = run.graph().estimatedRows() > maxDirectRows(run);
        return new Choice(isLarge ? Scheduler.TEZ : Scheduler.DIRECT, true);
    }

    @Override
    public StageGraphRunner runner(Scheduler scheduler) {
        return switch (scheduler) {
            case DIRECT -> direct;
            case TEZ -> tez;
        };
    }

    @Override
    public void failed(SkepException failure) {
        failures.accept(failure);
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
