package io.skep.llap.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.spill.SpillBudget;
import io.skep.engine.spill.SpillSpace;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.server.exchange.BroadcastCopies;
import io.skep.llap.server.exchange.QueryExchange;
import io.skep.llap.server.executor.IoPool;
import io.skep.llap.server.executor.QueryShare;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one query in this daemon. The fields that are declared after {@code tasks} are guarded by this object.
 */
final class DaemonQuery {
    private final QueryId id;
    private final MemoryPool memory;
    private final MemoryPool exchangeMemory;
    private final SpillSpace exchangeSpill;
    private final QueryExchange exchange;
    private final BroadcastCopies broadcasts;
    private final QueryShare share = new QueryShare();
    private final Map<String, PlanFacts> plans = new ConcurrentHashMap<>();
    private final Map<TaskAttemptId, TaskRun> tasks = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private final Map<String, QueryFunctions> functions = new HashMap<>();

    @GuardedBy("this")
    private @Nullable CompletableFuture<@Nullable Void> ended;

    private volatile @Nullable SkepException endReason;

    DaemonQuery(
            QueryId id,
            LlapConfig config,
            MemoryPool daemonMemory,
            MemoryPool daemonExchange,
            SpillBudget daemonSpill,
            IoPool io) {
        this.id = id;
        this.memory = daemonMemory.query(
                id.value(),
                config.maxQueryMemoryBytes(),
                config.maxQueryMemoryBytes() / DaemonResources.UNSPILLABLE_SHARE);
        this.exchangeMemory = daemonExchange.child(id.value());
        this.exchangeSpill = new SpillSpace(
                config.spillFolder(),
                id,
                "exchange",
                List.of(
                        new SpillBudget(
                                "rows between the tasks of a query",
                                config.maxQueryExchangeSpillBytes(),
                                LlapConfig.QUERY_EXCHANGE_SPILL.name()),
                        daemonSpill));
        this.exchange = new QueryExchange(exchangeMemory, exchangeSpill, io);
        this.broadcasts = new BroadcastCopies(id, exchangeMemory, exchangeSpill, io);
    }

    QueryId id() {
        return id;
    }

    MemoryPool memory() {
        return memory;
    }

    /** The account of the rows between tasks. */
    MemoryPool exchangeMemory() {
        return exchangeMemory;
    }

    QueryExchange exchange() {
        return exchange;
    }

    BroadcastCopies broadcasts() {
        return broadcasts;
    }

    QueryShare share() {
        return share;
    }

    void register(String name, StageGraph graph, Map<String, CompletableFuture<Path>> files) {
        plans.computeIfAbsent(name, ignored -> new PlanFacts(graph, files));
    }

    PlanFacts plan(String name) {
        PlanFacts plan = plans.get(name);
        if (plan == null) {
            throw new SkepException(
                    StandardErrorCode.INTERNAL_ERROR, "query " + id + " has no plan " + name + " in this daemon");
        }
        return plan;
    }

    /** Returns the functions of a plan whose files have arrived. Creates them once for each set of jars. */
    FunctionRegistry functions(PlanFacts plan, Map<String, String> settings) {
        List<String> jars = plan.resources();
        synchronized (this) {
            String key = jars.toString();
            QueryFunctions known = functions.get(key);
            if (known == null) {
                known = QueryFunctions.of(jars, settings);
                functions.put(key, known);
            }
            return known.registry();
        }
    }

    /** @throws SkepException when the query has ended */
    void add(TaskAttemptId attempt, TaskRun task) {
        synchronized (this) {
            if (endReason != null) {
                throw endReason;
            }
            tasks.put(attempt, task);
        }
        var _ = task.ended().thenRun(() -> tasks.remove(attempt, task));
    }

    CompletableFuture<@Nullable Void> cancel(TaskAttemptId attempt, SkepException reason) {
        TaskRun task = tasks.get(attempt);
        if (task == null) {
            exchange.discard(attempt);
            return CompletableFuture.completedFuture(null);
        }
        task.fail(reason);
        return task.ended().thenApply(_ -> {
            exchange.discard(attempt);
            return null;
        });
    }

    int taskCount() {
        return tasks.size();
    }

    long reservedBytes() {
        return memory.reservedBytes() + exchangeMemory.reservedBytes();
    }

    boolean hasEnded() {
        return endReason != null;
    }

    /**
     * Cancels the running tasks and frees all resources. The returned future never fails.
     *
     * @param onEnd called once, with the number of bytes that tasks had not released
     */
    CompletableFuture<@Nullable Void> end(SkepException reason, LongConsumer onEnd) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        List<TaskRun> running;
        synchronized (this) {
            if (ended != null) {
                return ended;
            }
            ended = done;
            endReason = reason;
            running = new ArrayList<>(tasks.values());
        }
        running.forEach(task -> task.fail(reason));
        exchange.end(reason);
        CompletableFuture<?> fetched = broadcasts.end(reason);
        CompletableFuture<?>[] left = running.stream().map(TaskRun::ended).toArray(CompletableFuture<?>[]::new);
        var _ = CompletableFuture.allOf(left)
                .thenCombine(fetched, (_, _) -> true)
                .whenComplete((value, error) -> {
                    onEnd.accept(free());
                    done.complete(null);
                });
        return done;
    }

    private long free() {
        exchangeSpill.close();
        long leaked = memory.reservedBytes() + exchangeMemory.reservedBytes();
        exchangeMemory.close();
        memory.close();
        synchronized (this) {
            functions.values().forEach(QueryFunctions::close);
            functions.clear();
        }
        return leaked;
    }
}
