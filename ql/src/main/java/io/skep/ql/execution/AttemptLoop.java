package io.skep.ql.execution;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.ql.execution.RetryPolicy.Decision;
import io.skep.ql.execution.RetryPolicy.Effect;
import io.skep.ql.execution.RetryPolicy.Failure;
import io.skep.ql.execution.RetryPolicy.Scheduler;
import io.skep.ql.result.CachedRows;
import io.skep.ql.result.ResultCache;
import io.skep.ql.result.ResultCache.Filling;
import io.skep.ql.result.ResultRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs the attempts of one {@link QueryRun}, and asks {@link RetryPolicy} what follows their failures. An attempt lists
 * files, or reuses the listing of the previous attempt, and is passed to a scheduler. Attempts run one after another,
 * on any thread. Fields are guarded by this.
 */
final class AttemptLoop {
    private record Kind(StandardErrorCode code, Scheduler scheduler) {}

    /** Properties of the run that the first listing determines. */
    private record Terms(boolean mayUseTez, boolean writes, KeptRows kept) {}

    private final AttemptSource source;
    private final Schedulers schedulers;
    private final MemoryPool memory;
    private final Optional<ResultCache> results;

    /** Listings of files, and waits for the rows of the same query. */
    private final InterruptibleSection listing = new InterruptibleSection();

    @GuardedBy("this")
    private final Map<Kind, Integer> failures = new HashMap<>();

    @GuardedBy("this")
    private RunListener listener = line -> {};

    @GuardedBy("this")
    private Scheduler scheduler = Scheduler.DIRECT;

    @GuardedBy("this")
    private @Nullable Terms terms;

    @GuardedBy("this")
    private @Nullable StageGraphRun listed;

    /** Takes the rows of the current attempt, which have not been sent. */
    @GuardedBy("this")
    private Filling filling = Filling.NONE;

    AttemptLoop(AttemptSource source, Schedulers schedulers, MemoryPool memory, Optional<ResultCache> results) {
        this.source = source;
        this.schedulers = schedulers;
        this.memory = memory;
        this.results = results;
    }

    synchronized void tell(RunListener told) {
        listener = told;
    }

    private synchronized RunListener listener() {
        return listener;
    }

    /**
     * Starts attempts until a scheduler accepts one. Blocks.
     *
     * @param gate called before each step; fails when no attempt is wanted
     */
    StageGraphExecution launch(Decision first, Runnable gate) {
        Decision how = first;
        while (true) {
            try {
                return attempt(how, gate);
            } catch (RuntimeException e) {
                gate.run();
                how = e instanceof SkepException failure ? decide(failure, false) : Decision.FAIL;
                if (how == Decision.FAIL) {
                    throw e;
                }
            }
        }
    }

    /** Interrupts the running listing, if any, after the gate has been closed. */
    void interruptListing() {
        listing.interrupt();
    }

    private StageGraphExecution attempt(Decision how, Runnable gate) {
        gate.run();
        giveUpFilling();
        QueryAttemptId id = source.begin();
        StageGraphRun known = known();
        StageGraphRun run = how == Decision.LIST_AGAIN || known == null ? list(id, gate) : named(known, id);
        Scheduler chosen = chosen(how);
        Optional<List<Batch>> cached = known == null ? cached(run, gate) : Optional.empty();
        gate.run();
        listener().running(id, chosen);
        return cached.isPresent()
                ? new CachedRows(cached.get())
                : schedulers.runner(chosen).start(run);
    }

    /**
     * Returns the rows of the run, if they are cached. Otherwise prepares to cache them, or waits for them. Attempts
     * after the first one do not come here: many of them could wait on all threads for one that needs such a thread.
     */
    private Optional<List<Batch>> cached(StageGraphRun run, Runnable gate) {
        Optional<ResultRequest> request =
                results.isEmpty() || effect() == Effect.STAGED ? Optional.empty() : source.cacheable(run);
        if (request.isEmpty()) {
            return Optional.empty();
        }
        listing.enter();
        try {
            gate.run();
            ResultCache.Found found = results.get()
                    .find(
                            request.get().key(),
                            request.get().mayWait(),
                            () -> listener().log("The same query is running. This one waits for its rows."));
            fill(found.filling());
            found.rows().ifPresent(rows -> listener().log("The rows come from the cache of results."));
            return found.rows();
        } finally {
            listing.leave();
        }
    }

    private void fill(Filling next) {
        Filling previous;
        synchronized (this) {
            previous = filling;
            filling = next;
        }
        previous.giveUp();
    }

    /** Called when the first rows of the attempt may be sent. They are cached if they are all. */
    void gathered(KeptRows rows) {
        Filling waiting;
        synchronized (this) {
            waiting = filling;
            filling = Filling.NONE;
        }
        rows.complete().ifPresentOrElse(waiting::complete, waiting::giveUp);
    }

    /** Called when the rows of the attempt will not be cached. Does nothing when they are. */
    void giveUpFilling() {
        fill(Filling.NONE);
    }

    private synchronized @Nullable StageGraphRun known() {
        return listed;
    }

    private synchronized Scheduler chosen(Decision how) {
        scheduler = how == Decision.THROUGH_TEZ ? Scheduler.TEZ : scheduler;
        return scheduler;
    }

    private StageGraphRun list(QueryAttemptId id, Runnable gate) {
        listener().listing();
        StageGraphRun run = listFiles(id, gate);
        boolean isFirst = known() == null;
        Schedulers.Choice choice = isFirst ? schedulers.choose(run) : null;
        synchronized (this) {
            if (choice != null) {
                scheduler = choice.scheduler();
                terms = new Terms(choice.mayUseTez(), writes(run), kept(run));
            }
            listed = run;
        }
        return run;
    }

    private StageGraphRun listFiles(QueryAttemptId id, Runnable gate) {
        listing.enter();
        try {
            // Checks for a gate that was closed before this thread could be interrupted.
            gate.run();
            return source.list(id);
        } finally {
            listing.leave();
        }
    }

    private KeptRows kept(StageGraphRun run) {
        SettingsReader settings = new SettingsReader(run.settings());
        KeptRows kept = new KeptRows(memory, settings.read(QueryRuns.MAX_KEPT_RESULT));
        settings.finish();
        return kept;
    }

    /**
     * Returns the run under another attempt's name, so that the remains of an earlier attempt end under its own name.
     */
    static StageGraphRun named(StageGraphRun run, QueryAttemptId attempt) {
        return attempt.name().equals(run.queryId())
                ? run
                : new StageGraphRun(attempt.name(), run.graph(), run.splits(), run.settings());
    }

    private static boolean writes(StageGraphRun run) {
        return run.graph().fragments().stream()
                .map(Fragment::root)
                .anyMatch(root -> root.anyMatch(PlanNode.TableWrite.class::isInstance));
    }

    /**
     * Records the failure of an attempt, and returns what follows.
     *
     * @param started whether any part of it may have run
     */
    Decision decide(SkepException failure, boolean started) {
        schedulers.failed(failure);
        Decision decision;
        synchronized (this) {
            int count = failures.merge(new Kind(failure.code(), scheduler), 1, Integer::sum);
            boolean mayUseTez = terms != null && terms.mayUseTez();
            decision = RetryPolicy.decide(new Failure(failure.code(), count, scheduler, started, mayUseTez, effect()));
        }
        if (decision != Decision.FAIL) {
            listener()
                    .log("An attempt has failed, what follows is to " + decision.text() + ": " + failure.getMessage());
        }
        return decision;
    }

    synchronized Effect effect() {
        if (terms == null) {
            return Effect.NONE;
        }
        if (terms.writes()) {
            return Effect.STAGED;
        }
        return terms.kept().flowing() ? Effect.VISIBLE : Effect.NONE;
    }

    /** Returns the rows of the current attempt; absent before the first listing. */
    synchronized @Nullable KeptRows kept() {
        return terms == null ? null : terms.kept();
    }
}
