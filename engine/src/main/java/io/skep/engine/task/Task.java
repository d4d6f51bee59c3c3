package io.skep.engine.task;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.lifecycle.Closeables;
import io.skep.common.type.SqlType;
import io.skep.engine.filter.ColumnValues;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OutputOperator;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.SwappedJoins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One task of a fragment: drivers that together read its inputs and fill its output. The process runs all drivers, in
 * any order and on any threads, until {@link #finished} is true or a driver fails. Then it closes the task, which stops
 * drivers that are still parked.
 */
public final class Task implements AutoCloseable {
    private final TaskEnvironment environment;
    private final OutputOperator.Shared output;
    private final TaskAssembly assembly;
    private final PlanStatsCollector collector;
    private final OperatorClock clock = new OperatorClock();
    private final AtomicInteger requests = new AtomicInteger();
    private final List<Driver> drivers = new ArrayList<>();

    /**
     * @throws SkepException if the plan requires something that does not exist; then only the environment's inputs
     *     remain open
     */
    public Task(StageGraph graph, int fragmentId, TaskEnvironment environment) {
        this(fragment(graph, fragmentId), Set.of(), environment);
    }

    /**
     * @param mirroredJoins joins of the fragment that are built from their left side, see {@link SwappedJoins}
     * @throws SkepException if the plan requires something that does not exist; then only the environment's inputs
     *     remain open
     */
    public Task(Fragment fragment, Set<Integer> mirroredJoins, TaskEnvironment environment) {
        this.environment = environment;
        PlanNode plan = SwappedJoins.in(fragment.root(), mirroredJoins);
        TaskSettings settings = TaskSettings.of(environment.settings());
        this.collector = new PlanStatsCollector(plan, SwappedJoins.origins(fragment.root(), mirroredJoins));
        this.assembly = new TaskAssembly(environment, settings, collector);
        Pipeline root = assembly.visit(plan);
        List<SqlType> types = plan.outputTypes();
        Map<Integer, SqlType> reported = new HashMap<>();
        environment.reported().forEach(column -> reported.put(column, types.get(column)));
        this.output = new OutputOperator.Shared(environment.output(), fragment.output(), root.drivers(), reported);
        assembly.output(root, context -> new OutputOperator(output));
        OperatorContext context = new OperatorContext(
                environment.memory(), environment.spill(), settings.maxOperatorBytes(), environment.cancelled());
        createDrivers(context);
        environment.memory().onRevocationRequested(() -> {
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
                            new DriverClock(pipeline.create(context), pipeline.owners(), clock),
                            context.scratch(),
                            environment.cancelled(),
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

    /** Whether all rows are in the output. Drivers that are not finished at that point are not needed. */
    public boolean finished() {
        return output.finished();
    }

    /** Returns the values of the output columns that must be reported. Meaningful only when the task has finished. */
    public Map<Integer, ColumnValues> values() {
        return output.values();
    }

    public TaskStatistics statistics() {
        return new TaskStatistics(
                output.rows(),
                clock.times(),
                environment.memory().peakBytes(),
                environment.spill().writtenBytes(),
                collector.scanned(),
                collector.stats());
    }

    /**
     * Stops the drivers and releases memory, files and inputs. A driver that is running releases its resources when its
     * thread leaves.
     */
    @Override
    public void close() {
        List<AutoCloseable> parts = new ArrayList<>(drivers);
        parts.add(assembly);
        environment.inputs().values().forEach(parts::addAll);
        Closeables.closeAll(parts);
    }
}
