package io.skep.service.direct;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.ql.execution.RetryPolicy;
import io.skep.ql.execution.RetryPolicy.Decision;
import io.skep.ql.execution.RetryPolicy.Failure;
import io.skep.ql.execution.RetryPolicy.Scheduler;
import io.skep.tez.ContainerSettings;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Chooses who runs a query, by {@code skep.scheduler}: {@code direct}, {@code tez}, or {@code auto} (the default): directly
 * unless more than {@code skep.direct.max-rows} rows are expected to be read. {@link RetryPolicy} says which query is run again
 * when it fails before its first row has gone out, and where. What is to run in containers of YARN goes through Tez in any case.
 */
public final class SchedulerChoice implements StageGraphRunner {
    public static final String SCHEDULER = "skep.scheduler";
    public static final String MAX_DIRECT_ROWS = "skep.direct.max-rows";

    public static final Property<Long> MAX_KEPT_RESULT = new Property<>(
            "skep.query.max-kept-result",
            PropertyType.size(0, Integer.MAX_VALUE),
            "4MB",
            "A result up to this size in memory goes to its client when it is complete, so that the loss of a daemon does"
                    + " not fail its query. Larger results stream. 0: all results stream.");

    private static final double DEFAULT_MAX_ROWS = 1e9;

    /** Of the heap, for the kept results of all queries; beyond that they go out as they come. */
    private static final int KEPT_SHARE_OF_HEAP = 32;

    private final StageGraphRunner direct;
    private final StageGraphRunner tez;
    private final Consumer<SkepException> failures;
    private final Executor starts;
    private final MemoryPool kept =
            MemoryPool.root("kept results", Runtime.getRuntime().maxMemory() / KEPT_SHARE_OF_HEAP);

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

    private StageGraphExecution direct(StageGraphRun run, boolean mayUseTez) {
        Retries retries = new Retries(run, Scheduler.DIRECT, mayUseTez);
        StageGraphExecution first;
        try {
            first = direct.start(run);
        } catch (SkepException e) {
            // Nothing has been started, so that a query that writes may be started elsewhere, too.
            Failure failure = new Failure(e.code(), 1, Scheduler.DIRECT, false, mayUseTez, false, false);
            if (RetryPolicy.decide(failure) == Decision.THROUGH_TEZ) {
                return tez(run);
            }
            throw e;
        }
        return retried(first, retries);
    }

    private StageGraphExecution tez(StageGraphRun run) {
        Retries retries = new Retries(run, Scheduler.TEZ, true);
        return retried(tez.start(run), retries);
    }

    private RetriedExecution retried(StageGraphExecution first, Retries retries) {
        return new RetriedExecution(first, retries, starts, new KeptRows(kept, retries.maxKeptBytes));
    }

    /** Bytes of results that wait until they are whole. */
    public long keptBytes() {
        return kept.reservedBytes();
    }

    /** The later runs of one query, as {@link RetryPolicy} wants them. What it fails of is of use to others. */
    private final class Retries implements RetriedExecution.NextRun {
        private final StageGraphRun run;
        private final boolean mayUseTez;
        private final boolean writes;
        private final long maxKeptBytes;
        private Scheduler scheduler;

        Retries(StageGraphRun run, Scheduler scheduler, boolean mayUseTez) {
            this.run = run;
            this.scheduler = scheduler;
            this.mayUseTez = mayUseTez;
            this.writes = writes(run);
            SettingsReader settings = new SettingsReader(run.settings());
            this.maxKeptBytes = settings.read(MAX_KEPT_RESULT);
            settings.finish();
        }

        @Override
        public Optional<StageGraphExecution> after(SkepException failure, int tries) {
            failures.accept(failure);
            return switch (RetryPolicy.decide(
                    new Failure(failure.code(), tries, scheduler, true, mayUseTez, false, writes))) {
                case RUN_AGAIN -> Optional.of(runner().start(again(run, "again" + tries)));
                case THROUGH_TEZ -> {
                    scheduler = Scheduler.TEZ;
                    yield Optional.of(tez.start(again(run, "tez")));
                }
                // The statement has the list of files.
                case LIST_AGAIN, FAIL -> Optional.empty();
            };
        }

        private StageGraphRunner runner() {
            return scheduler == Scheduler.TEZ ? tez : direct;
        }
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
