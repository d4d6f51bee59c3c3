package io.skep.ql.query;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.function.FunctionRegistry;
import io.skep.ql.analyze.StrictChecks;
import io.skep.ql.optimize.AlgebraMetadata;
import io.skep.ql.optimize.ConstantReducer;
import io.skep.ql.optimize.MaterializedViewScan;
import io.skep.ql.optimize.Optimizer;
import io.skep.ql.optimize.Repeatability;
import io.skep.ql.physical.Answers;
import io.skep.ql.physical.MetadataOnlyAggregates;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.PhysicalPlanner;
import io.skep.ql.physical.PlanningContext;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.physical.RexTranslator;
import io.skep.ql.physical.WriteTarget;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statistics.CountedTables;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/** Compiles resolved queries to physical plans. Serves one session; one query at a time. */
public final class QueryCompiler {
    public static final Property<Boolean> RUNTIME_FILTERS = new Property<>(
            "hive.tez.dynamic.semijoin.reduction",
            PropertyType.flag(),
            "true",
            "Whether a join's values of one side filter scans and aggregations of the other side, so that rows "
                    + "without a match are dropped early.");

    public static final Property<Boolean> PARTITION_PRUNING = new Property<>(
            "hive.tez.dynamic.partition.pruning",
            PropertyType.flag(),
            "true",
            "Whether partitions without a match on the other side of a join are pruned while a query runs.");

    public static final Property<Boolean> AGGREGATION_BELOW_JOINS = new Property<>(
            "hive.transpose.aggr.join",
            PropertyType.flag(),
            "true",
            "Whether the first step of an aggregation runs below joins where statistics predict that it is "
                    + "cheaper.");

    private final AlgebraMetadata metadata;
    private final FunctionCatalog functions;
    private final FunctionRegistry registry;
    private final List<String> resources;
    private final PlanningLimits limits;
    private final Choices choices;
    private final Optional<MetadataOnlyAggregates.Source> statistics;
    private final StrictChecks checks;

    /**
     * Optimizations that plans may use.
     *
     * @param runtimeFilters whether joins may send filters for the rows of the other side, to scans and by semi joins
     * @param partitionPruning whether joins may prune partitions of the other side
     * @param sharedWork whether identical subplans run once
     * @param aggregationBelowJoins whether the first step of an aggregation may be pushed below joins
     */
    public record Choices(
            boolean runtimeFilters, boolean partitionPruning, boolean sharedWork, boolean aggregationBelowJoins) {}

    /**
     * @param registry evaluates constants, with the session's user functions
     * @param statistics statistics from which clients' queries may be answered
     * @param checks by which queries are refused
     */
    public QueryCompiler(
            AlgebraMetadata metadata,
            FunctionCatalog functions,
            FunctionRegistry registry,
            List<String> resources,
            PlanningLimits limits,
            Choices choices,
            Optional<MetadataOnlyAggregates.Source> statistics,
            StrictChecks checks) {
        this.metadata = metadata;
        this.functions = functions;
        this.registry = registry;
        this.resources = List.copyOf(resources);
        this.limits = limits;
        this.choices = choices;
        this.statistics = statistics;
        this.checks = checks;
    }

    /** A compiler of a statement's queries for clients, which statistics may answer. */
    public static QueryCompiler forClients(StatementContext context) {
        // With impersonation users have to be allowed to read the files, which only a listing finds out.
        boolean answered = context.settings().getBoolean("hive.compute.query.using.stats")
                && !context.settings().rules().impersonates();
        return of(context, answered ? Optional.of(new CountedTables(context)) : Optional.empty());
    }

    /** A compiler of a statement's queries that read the rows they ask for. */
    public static QueryCompiler forReading(StatementContext context) {
        return of(context, Optional.empty());
    }

    private static QueryCompiler of(StatementContext context, Optional<MetadataOnlyAggregates.Source> statistics) {
        return new QueryCompiler(
                context.services().metadata(),
                context.session().userFunctions().catalog(),
                context.session().userFunctions().registry(),
                List.copyOf(context.session().userFunctions().resources()),
                context.services().limits(),
                new Choices(
                        context.settings().getBoolean(RUNTIME_FILTERS.name()),
                        context.settings().getBoolean(PARTITION_PRUNING.name()),
                        context.settings().getBoolean("hive.optimize.shared.work"),
                        context.settings().getBoolean(AGGREGATION_BELOW_JOINS.name())),
                statistics,
                StrictChecks.of(context.settings().explicit()));
    }

    /** A plan, and the algebra that it was built from, for EXPLAIN. */
    public record Compiled(PhysicalPlan plan, RelNode algebra) {}

    public Compiled query(RelNode root, List<String> columnNames) {
        return query(root, columnNames, List.of());
    }

    /** @param views may answer parts of the query */
    public Compiled query(RelNode root, List<String> columnNames, List<MaterializedViewScan> views) {
        RelNode optimized = optimizer(root, views).optimize();
        return new Compiled(planned(optimized, columnNames), optimized);
    }

    /** Does the first half of {@link #query}. */
    RelNode optimized(RelNode root) {
        return optimizer(root, List.of()).optimize();
    }

    /** Does the second half of {@link #query}. */
    PhysicalPlan planned(RelNode optimized, List<String> columnNames) {
        StrictPlanChecks.check(checks, optimized, metadata);
        RexTranslator rex = new RexTranslator(optimized.getCluster().getRexBuilder());
        Answers answers = statistics
                .map(source -> new MetadataOnlyAggregates(rex, source).of(optimized))
                .orElse(Answers.NONE);
        return planner(optimized, answers).planQuery(optimized, columnNames);
    }

    public Compiled write(RelNode root, WriteTarget target) {
        return write(root, target, List.of());
    }

    /** @param views may answer parts of the query */
    Compiled write(RelNode root, WriteTarget target, List<MaterializedViewScan> views) {
        RelNode optimized = optimizer(root, views).optimize();
        StrictPlanChecks.check(checks, optimized, metadata);
        return new Compiled(planner(optimized, Answers.NONE).planWrite(optimized, target), optimized);
    }

    private Optimizer optimizer(RelNode root, List<MaterializedViewScan> views) {
        ConstantReducer constants = new ConstantReducer(new ExpressionCompiler(registry));
        return new Optimizer(
                root, metadata, constants, choices.runtimeFilters(), choices.aggregationBelowJoins(), views);
    }

    private PhysicalPlanner planner(RelNode root, Answers answers) {
        RelMetadataQuery estimates = metadata.query(root.getCluster());
        RexTranslator rex = new RexTranslator(root.getCluster().getRexBuilder());
        boolean singleTask = limits.fitsSingleTask(root, estimates);
        boolean repeatable = Repeatability.of(root);
        return new PhysicalPlanner(new PlanningContext(
                rex,
                functions,
                estimates,
                resources,
                limits,
                singleTask,
                choices.runtimeFilters(),
                choices.partitionPruning(),
                repeatable,
                choices.sharedWork() && repeatable,
                answers));
    }
}
