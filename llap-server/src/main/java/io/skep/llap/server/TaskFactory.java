package io.skep.llap.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.exchange.TaskOutput;
import io.skep.engine.operator.scan.SplitQueue;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.spill.SpillSpace;
import io.skep.engine.task.Task;
import io.skep.engine.task.TaskEnvironment;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.OutputSource;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.server.exchange.OutputConfig;
import io.skep.llap.server.exchange.RemoteInput;
import io.skep.llap.server.executor.ExecutorPool;
import io.skep.storage.table.Split;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Creates what a submitted task needs: memory, spill space, inputs, output, splits. */
final class TaskFactory {
    /** Whether a query reads through the cache. */
    static final String CACHE_SETTING = "hive.llap.io.enabled";

    private static final String MEMORY_SETTING = "skep.query.max-memory";
    private static final String ZONE_SETTING = "hive.local.time.zone";

    private final DaemonIdentity identity;
    private final LlapConfig config;
    private final DaemonStorage storage;
    private final Function<DaemonIdentity, ? extends OutputSource> peers;
    private final MemoryPool lostMemory;

    /** @param lostMemory account of memory held by written-off threads whose tasks have ended */
    TaskFactory(
            DaemonIdentity identity,
            LlapConfig config,
            DaemonStorage storage,
            Function<DaemonIdentity, ? extends OutputSource> peers,
            MemoryPool lostMemory) {
        this.identity = identity;
        this.config = config;
        this.storage = storage;
        this.peers = peers;
        this.lostMemory = lostMemory;
    }

    TaskRun create(DaemonQuery query, TaskSubmission submission, ExecutorPool executors, AtomicLong leakedBytes) {
        PlanFacts plan = query.plan(submission.plan());
        String name = submission.fragment() + "-" + submission.task() + "-" + submission.attempt();
        MemoryPool memory = query.memory().child("task " + name, memoryLimit(submission));
        SpillSpace spill = new SpillSpace(config.spillFolder(), submission.query(), name, config.maxSpillBytes());
        TaskAttemptId id = new TaskAttemptId(submission.fragment(), submission.task(), submission.attempt());
        TaskOutput output = query.exchange().begin(id, outputConfig(plan, submission));
        List<OutputLocation> broadcasts = remoteBroadcasts(plan, submission);
        query.broadcasts().expect(broadcasts);
        Runnable leave = () -> {
            query.broadcasts().leave(broadcasts, submission.retainOutput());
            spill.close();
        };
        TaskRun[] self = new TaskRun[1];
        TaskRun run = new TaskRun(
                "task " + name + " of query " + query.id().value(),
                executors,
                query.share(),
                plan.ready(),
                () -> assemble(query, plan, submission, output, memory, spill, self[0]),
                () -> query.exchange().sizes(id),
                new TaskMemory(memory, lostMemory, leakedBytes, leave));
        self[0] = run;
        return run;
    }

    /** Returns the broadcast outputs of other daemons that the task reads, as other tasks of its fragment do. */
    private List<OutputLocation> remoteBroadcasts(PlanFacts plan, TaskSubmission submission) {
        return submission.inputs().entrySet().stream()
                .filter(input -> plan.isBroadcast(input.getKey()))
                .flatMap(input -> input.getValue().stream())
                .filter(location -> !location.daemon().equals(identity))
                .toList();
    }

    private static long memoryLimit(TaskSubmission submission) {
        String text = submission.settings().get(MEMORY_SETTING);
        if (text == null || text.isBlank()) {
            return Long.MAX_VALUE;
        }
        try {
            return Math.max(1, Long.parseLong(text.strip()));
        } catch (NumberFormatException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    MEMORY_SETTING + " is '" + text + "', not a number of bytes",
                    e);
        }
    }

    /**
     * Determines how the task's output is kept. A result that is not retained pauses its task when the client is slow.
     * Through Tez it goes to disk instead, because there a waiting task holds a session.
     */
    private OutputConfig outputConfig(PlanFacts plan, TaskSubmission submission) {
        int fragment = submission.fragment();
        boolean root = plan.isRoot(fragment);
        return new OutputConfig(
                submission.outputPartitions(),
                plan.consumers(fragment),
                plan.isBroadcast(fragment),
                submission.retainOutput() && !root,
                root && !submission.retainOutput() ? config.resultBufferBytes() : Long.MAX_VALUE);
    }

    private Task assemble(
            DaemonQuery query,
            PlanFacts plan,
            TaskSubmission submission,
            TaskOutput output,
            MemoryPool memory,
            SpillSpace spill,
            TaskRun run) {
        Map<Integer, List<PageInput>> inputs = new HashMap<>();
        try {
            submission
                    .inputs()
                    .forEach((fragment, locations) -> inputs.put(
                            fragment, open(query, submission.reads(), plan.isBroadcast(fragment), locations)));
            TaskEnvironment environment = new TaskEnvironment(
                    submission.query(),
                    submission.task(),
                    submission.attempt(),
                    cached(submission.settings()) ? storage.cached() : storage.direct(),
                    storage.sinks(),
                    query.functions(plan, submission.settings()),
                    inputs,
                    output,
                    splits(submission.splits()),
                    memory,
                    spill,
                    submission.settings(),
                    zone(submission.settings()),
                    submission.reported(),
                    Math.max(1, submission.drivers()),
                    run::isOver,
                    plan::file);
            return new Task(plan.fragment(submission.fragment()), submission.mirroredJoins(), environment);
        } catch (RuntimeException e) {
            inputs.values().forEach(opened -> opened.forEach(PageInput::close));
            throw e;
        }
    }

    private static boolean cached(Map<String, String> settings) {
        return !"false".equalsIgnoreCase(settings.getOrDefault(CACHE_SETTING, "true"));
    }

    private static ZoneId zone(Map<String, String> settings) {
        String zone = settings.getOrDefault(ZONE_SETTING, "UTC");
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, ZONE_SETTING + " is '" + zone + "', not a time zone", e);
        }
    }

    private static Map<Integer, SplitQueue> splits(Map<Integer, List<LazyEncoded>> sent) {
        Map<Integer, SplitQueue> queues = new HashMap<>();
        sent.forEach((scan, parcels) -> {
            List<Split> splits = new ArrayList<>(parcels.size());
            for (LazyEncoded parcel : parcels) {
                splits.add(parcel.open(Split.class, PlanCodec::decodeSplit));
            }
            queues.put(scan, new SplitQueue(splits));
        });
        return queues;
    }

    private List<PageInput> open(
            DaemonQuery query, PartitionRange range, boolean broadcast, List<OutputLocation> locations) {
        List<PageInput> opened = new ArrayList<>(locations.size() * range.count());
        try {
            for (OutputLocation location : locations) {
                if (broadcast) {
                    opened.add(openBroadcast(query, location));
                    continue;
                }
                for (int i = 0; i < range.count(); i++) {
                    opened.add(open(query, range.first() + i, location));
                }
            }
            return opened;
        } catch (RuntimeException e) {
            opened.forEach(PageInput::close);
            throw e;
        }
    }

    private PageInput openBroadcast(DaemonQuery query, OutputLocation location) {
        return location.daemon().equals(identity)
                ? query.exchange().open(location.output(), 0)
                : query.broadcasts().open(location, peers);
    }

    private PageInput open(DaemonQuery query, int partition, OutputLocation location) {
        return location.daemon().equals(identity)
                ? query.exchange().open(location.output(), partition)
                : RemoteInput.open(
                        query.exchangeMemory(),
                        peers.apply(location.daemon()),
                        query.id(),
                        location.output(),
                        partition);
    }
}
