package io.skep.engine.task;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.SqlType;
import io.skep.engine.filter.ColumnValues;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OutputOperator;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One task of a fragment: drivers that together read its inputs and fill its output. The process runs all drivers, in any
 * order and on any threads, until {@link #finished} or until one fails, and then closes the task, which ends drivers that
 * are still parked.
 */
public final class Task implements AutoCloseable {
    /** Of a driver's texts: what batches of usual rows have. */
    private static final long FREE_SCRATCH = 4 << 20;

    private final TaskEnvironment environment;
    private final OutputOperator.Shared output;
    private final TaskAssembly assembly;
    private final OperatorClock clock = new OperatorClock();
    private final AtomicInteger requests = new AtomicInteger();
    private final List<Driver> drivers = new ArrayList<>();

    /** @throws SkepException when the plan asks for what there is not; nothing is left open then but the environment's inputs */
    public Task(StageGraph graph, int fragmentId, TaskEnvironment environment) {
        this.environment = environment;
        Fragment fragment = fragment(graph, fragmentId);
        TaskSettings settings = TaskSettings.of(environment.settings());
        this.assembly = new TaskAssembly(environment, settings);
        Pipeline root = assembly.visit(fragment.root());
        List<SqlType> types = fragment.root().outputTypes();
        Map<Integer, SqlType> reported = new HashMap<>();
        environment.reported().forEach(column -> reported.put(column, types.get(column)));
        this.output = new OutputOperator.Shared(environment.output(), fragment.output(), root.drivers(), reported);
        assembly.end(root, context -> new OutputOperator(output));
        OperatorContext context = new OperatorContext(
                environment.memory(), environment.spill(), settings.maxOperatorBytes(), environment.cancelled());
        createDrivers(context);
        environment.memory().onAsked(() -> {
            requests.incrementAndGet();
            drivers.forEach(Driver::wake);
        });
    }

    private static Fragment fragment(StageGraph graph, int id) {
        return graph.fragments().stream()
                .filter(fragment -> fragment.id() == id)
                .findFirst()
                .orElseThrow(() ->
                        new SkepException(StandardErrorCode.INTERNAL_ERROR, "the stage graph has no fragment " + id));
    }

    private void createDrivers(OperatorContext context) {
        try {
            for (Pipeline pipeline : assembly.pipelines()) {
                for (int i = 0; i < pipeline.drivers(); i++) {
                    drivers.add(new Driver(
                            pipeline.create(context),
                            new ScratchMemory(environment.memory(), FREE_SCRATCH),
                            environment.cancelled(),
                            clock,
                            requests));
                }
            }
        } catch (RuntimeException e) {
            drivers.forEach(Driver::close);
            assembly.close();
            throw e;
        }
    }

    public List<Driver> drivers() {
        return drivers;
    }

    /** All rows are in the output. Drivers that are not finished by then are not needed. */
    public boolean finished() {
        return output.finished();
    }

    /** The values of the output's columns that were to be told. Of use when it has finished. */
    public Map<Integer, ColumnValues> values() {
        return output.values();
    }

    public TaskStatistics statistics() {
        return new TaskStatistics(
                output.rows(),
                clock.times(),
                environment.memory().peakBytes(),
                environment.spill().writtenBytes(),
                assembly.scanned());
    }

    /** Ends what runs, and frees memory, files and inputs. A driver that a thread is in frees its part when that leaves. */
    @Override
    public void close() {
        RuntimeException failure = null;
        List<AutoCloseable> parts = new ArrayList<>(drivers);
        parts.add(assembly);
        environment.inputs().values().forEach(parts::addAll);
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (RuntimeException e) {
                failure = Driver.keepFirst(failure, e);
            } catch (Exception e) {
                failure = Driver.keepFirst(failure, new IllegalStateException(e));
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
