package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.tez.ContainerSettings;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Chooses who runs a query, by {@code skep.scheduler}: {@code direct}, {@code tez}, or {@code auto} (the default): directly
 * unless more than {@code skep.direct.max-rows} rows are expected to be read. A query that only reads is run again when it fails
 * before its first row has gone out: directly, on the daemons that are left, when one was lost; through Tez, unless only
 * {@code direct} is wanted, for want of resources or when daemons are lost again and again. What is to run in containers of YARN goes through Tez
 * in any case.
 */
public final class SchedulerChoice implements StageGraphRunner {
    public static final String SCHEDULER = "skep.scheduler";
    public static final String MAX_DIRECT_ROWS = "skep.direct.max-rows";

    private static final double DEFAULT_MAX_ROWS = 1e9;

    /** How often a query is run in one way when daemons are lost under it. */
    private static final int MOST_RUNS = 3;

    private static final Set<StandardErrorCode> BETTER_THROUGH_TEZ = EnumSet.of(
            StandardErrorCode.MEMORY_LIMIT_EXCEEDED, StandardErrorCode.QUEUE_FULL, StandardErrorCode.DAEMON_LOST);

    private static final Set<StandardErrorCode> LOST =
            EnumSet.of(StandardErrorCode.DAEMON_LOST, StandardErrorCode.TEZ_MASTER_LOST);

    private final StageGraphRunner direct;
    private final StageGraphRunner tez;
    private final Consumer<SkepException> failures;
    private final Executor starts;

    /**
     * Starts later runs of a query in virtual threads.
     *
     * @param failures hears of each failed run before the next one starts
     */
    public SchedulerChoice(StageGraphRunner direct, StageGraphRunner tez, Consumer<SkepException> failures) {
        this(
                direct,
                tez,
                failures,
                start -> Thread.ofVirtual().name("run-again").start(start));
    }

    /** @param starts where a run is started that comes after a failure: the start may wait for a daemon */
    public SchedulerChoice(
            StageGraphRunner direct, StageGraphRunner tez, Consumer<SkepException> failures, Executor starts) {
        this.direct = direct;
        this.tez = tez;
        this.failures = failures;
        this.starts = starts;
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        if (ContainerSettings.inContainers(run.settings())) {
            return tez(run);
        }
        String choice = run.settings().getOrDefault(SCHEDULER, "auto").strip().toLowerCase(Locale.ROOT);
        return switch (choice) {
            case "direct" -> direct(run, false);
            case "tez" -> tez(run);
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
            return tez(run);
        }
        return direct(run, true);
    }

    private StageGraphExecution direct(StageGraphRun run, boolean elseTez) {
        try {
            return retried(run, direct.start(run), elseTez);
        } catch (SkepException e) {
            // Nothing has been started: there may be no daemon at all.
            if (elseTez && BETTER_THROUGH_TEZ.contains(e.code())) {
                return tez(run);
            }
            throw e;
        }
    }

    private StageGraphExecution retried(StageGraphRun run, StageGraphExecution first, boolean elseTez) {
        if (writes(run)) {
            return once(first);
        }
        // Set when Tez has it, after which there is no other way.
        AtomicBoolean last = new AtomicBoolean();
        return new RetriedExecution(
                first,
                (failure, tries) -> {
                    failures.accept(failure);
                    StandardErrorCode code = failure.code();
                    if (last.get()) {
                        return Optional.empty();
                    }
                    if (code == StandardErrorCode.DAEMON_LOST && tries < MOST_RUNS) {
                        return Optional.of(direct.start(again(run, "again" + tries)));
                    }
                    if (elseTez && BETTER_THROUGH_TEZ.contains(code)) {
                        last.set(true);
                        return Optional.of(tez.start(again(run, "tez")));
                    }
                    return Optional.empty();
                },
                starts);
    }

    /**
     * Tez runs tasks of a lost daemon again elsewhere, but not the one whose rows the client reads; nor does anybody take the place of
     * an application master.
     */
    private StageGraphExecution tez(StageGraphRun run) {
        if (writes(run)) {
            return once(tez.start(run));
        }
        return new RetriedExecution(
                tez.start(run),
                (failure, tries) -> {
                    failures.accept(failure);
                    return LOST.contains(failure.code()) && tries < MOST_RUNS
                            ? Optional.of(tez.start(again(run, "again" + tries)))
                            : Optional.empty();
                },
                starts);
    }

    /** What it fails of is of use to others. */
    private StageGraphExecution once(StageGraphExecution run) {
        return new RetriedExecution(
                run,
                (failure, tries) -> {
                    failures.accept(failure);
                    return Optional.empty();
                },
                starts);
    }

    private static boolean writes(StageGraphRun run) {
        return run.graph().fragments().stream().map(Fragment::root).anyMatch(SchedulerChoice::writes);
    }

    /** What is left of an earlier run ends under the earlier name. */
    private static StageGraphRun again(StageGraphRun run, String suffix) {
        QueryId id = new QueryId(run.queryId() + "-" + suffix);
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
