package io.skep.ql.optimize;

import io.skep.common.concurrent.Interruption;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.PruneEmptyRules;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Rewrites a query's algebra into a form that is cheap to run. The result has no subqueries or correlation. Conditions
 * and projections are pushed down, joins are ordered by cost, and windows and distinct aggregates are split up. One
 * instance optimizes one query.
 */
public final class Optimizer {
    private static final List<RelOptRule> SUBQUERIES = List.of(
            CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
            CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
            CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);

    private static final List<RelOptRule> PREDICATES = List.of(
            CoreRules.FILTER_REDUCE_EXPRESSIONS,
            CoreRules.PROJECT_REDUCE_EXPRESSIONS,
            CoreRules.JOIN_REDUCE_EXPRESSIONS,
            CoreRules.FILTER_MERGE,
            CoreRules.FILTER_INTO_JOIN,
            CoreRules.JOIN_CONDITION_PUSH,
            CoreRules.FILTER_PROJECT_TRANSPOSE,
            CoreRules.FILTER_AGGREGATE_TRANSPOSE,
            CoreRules.FILTER_SET_OP_TRANSPOSE,
            FilterBelowPolicies.INSTANCE,
            CoreRules.PROJECT_MERGE,
            CoreRules.PROJECT_REMOVE,
            PruneEmptyRules.FILTER_INSTANCE,
            PruneEmptyRules.PROJECT_INSTANCE,
            PruneEmptyRules.UNION_INSTANCE,
            PruneEmptyRules.SORT_FETCH_ZERO_INSTANCE,
            PruneEmptyRules.JOIN_LEFT_INSTANCE,
            PruneEmptyRules.JOIN_RIGHT_INSTANCE);

    /** What grows faster than an expression, and with its value at best. */
    private static final Set<RelOptRule> SIMPLIFYING = Set.of(
            CoreRules.FILTER_REDUCE_EXPRESSIONS,
            CoreRules.PROJECT_REDUCE_EXPRESSIONS,
            CoreRules.JOIN_REDUCE_EXPRESSIONS);

    /**
     * The limit for the expressions of one operator, in nodes. Larger ones stay as they are written, because Calcite
     * compares all their terms with each other at each step.
     */
    private static final int MAX_SIMPLIFIED = 2_000;

    /**
     * The limit of joins and set operations in a query whose conditions are simplified with the predicates of its
     * inputs.
     */
    private static final int MAX_BRANCHES = 48;

    /**
     * With more relations than this, the planner continues where a rule has changed something, and visits no more of
     * the plan. Otherwise it restarts at the root, which takes quadratic time in the number of relations.
     */
    private static final int MAX_FROM_ROOT = 100;

    private static final RelBuilder.Config UNSIMPLIFIED = RelBuilder.Config.DEFAULT.withSimplify(false);
    private static final RelBuilderFactory UNSIMPLIFIED_BUILDER = RelBuilder.proto(UNSIMPLIFIED);

    private static final List<RelOptRule> SET_OPERATIONS = List.of(
            CoreRules.UNION_MERGE,
            CoreRules.UNION_TO_DISTINCT,
            CoreRules.INTERSECT_TO_DISTINCT,
            CoreRules.MINUS_TO_DISTINCT,
            CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES);

    private static final List<RelOptRule> WINDOWS = List.of(CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW);

    private static final List<RelOptRule> FINISH = List.of(
            // Trimming leaves projections directly above the scans. Conditions must be below them to prune partitions.
            CoreRules.FILTER_PROJECT_TRANSPOSE,
            CoreRules.PROJECT_MERGE,
            CoreRules.PROJECT_REMOVE,
            CoreRules.FILTER_MERGE,
            FilterBelowPolicies.INSTANCE);

    private final boolean simplified;
    private final boolean wide;
    private final RelOptCluster cluster;
    private final RelNode root;
    private final RelBuilder builder;
    private final RexExecutor constants;
    private final AlgebraMetadata metadata;
    private final boolean semiJoinReduction;
    private final boolean aggregationBelowJoins;
    private final List<MaterializedViewScan> views;

    /**
     * @param root the query's algebra
     * @param constants evaluates constant expressions as Hive does
     * @param semiJoinReduction whether a part of one side of a join may be planned a second time to reduce the other
     *     side
     * @param aggregationBelowJoins whether the first step of an aggregation may be pushed below joins
     * @param views may answer parts of the query
     */
    public Optimizer(
            RelNode root,
            AlgebraMetadata metadata,
            RexExecutor constants,
            boolean semiJoinReduction,
            boolean aggregationBelowJoins,
            List<MaterializedViewScan> views) {
        this.views = views;
        this.semiJoinReduction = semiJoinReduction;
        this.aggregationBelowJoins = aggregationBelowJoins;
        this.root = root;
        this.cluster = root.getCluster();
        ExpressionSize size = ExpressionSize.of(root);
        this.simplified = size.isWithin(MAX_SIMPLIFIED, MAX_BRANCHES);
        this.wide = size.isWide(MAX_FROM_ROOT);
        this.builder = (simplified ? RelFactories.LOGICAL_BUILDER : UNSIMPLIFIED_BUILDER).create(cluster, null);
        this.constants = constants;
        this.metadata = metadata;
        metadata.install(cluster);
        cluster.getPlanner().setExecutor(constants);
    }

    public RelNode optimize() {
        RelNode narrow = answered(normalized(root));
        if (!QueryShape.of(narrow).joins()) {
            return finished(narrow);
        }
        RelNode finished = finished(trimmed(joined(narrow)));
        RelNode reduced = semiJoinReduction
                ? new SemiJoinReduction(metadata.query(cluster), metadata.estimates(), builder).reduce(finished)
                : finished;
        return aggregationBelowJoins ? grouped(reduced) : reduced;
    }

    private RelNode finished(RelNode root) {
        RelNode windows = QueryShape.of(root).windows() ? apply(root.accept(new WindowInputs()), WINDOWS) : root;
        return apply(windows, FINISH);
    }

    /** Returns a query without subqueries, with its conditions pushed down, and with the columns that it needs. */
    private RelNode normalized(RelNode query) {
        RelNode unnested =
                QueryShape.of(query).nested() ? unnested(query.accept(new PolicyQueries(this::unnested))) : query;
        RelNode pushed = apply(simplified ? factored(unnested) : unnested, PREDICATES);
        if (QueryShape.of(pushed).setOperations()) {
            pushed = apply(apply(pushed.accept(new DistinctUnions()), SET_OPERATIONS), PREDICATES);
        }
        return trimmed(pushed);
    }

    /** Returns a query whose parts are answered from views where that reads fewer rows. */
    private RelNode answered(RelNode normalized) {
        if (views.isEmpty() || !simplified) {
            return normalized;
        }
        List<MaterializedViewScan> same = views.stream()
                .map(view -> view.withQuery(normalized(view.query())))
                .toList();
        RelNode rewritten = new MaterializedViewRewriting(same, metadata.query(cluster), constants).rewrite(normalized);
        return rewritten.equals(normalized) ? normalized : trimmed(apply(rewritten, PREDICATES));
    }

    /**
     * Splits aggregations in two. This must be the last rewrite, because no rule supports aggregations in two steps.
     */
    private RelNode grouped(RelNode root) {
        EagerAggregationCost benefit = new EagerAggregationCost(metadata.query(cluster), metadata.estimates());
        return new EagerAggregation(benefit).rewrite(root);
    }

    private RelNode unnested(RelNode root) {
        return QueryShape.of(root).nested() ? new Decorrelation(builder).of(apply(root, SUBQUERIES)) : root;
    }

    private RelNode joined(RelNode root) {
        JoinOrder order = new JoinOrder(metadata, metadata.query(cluster), builder, part -> apply(part, PREDICATES));
        RelNode ordered = order.order(root);
        return apply(apply(ordered, PREDICATES), KeyedSemiJoins.RULES);
    }

    /**
     * Extracts the conditions that all branches of an OR share, so that they can become join keys:
     * {@code (k AND a) OR (k AND b)} is {@code k AND (a OR b)}.
     */
    private RelNode factored(RelNode root) {
        return root.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                RelNode visited = super.visit(other);
                if (!(visited instanceof LogicalFilter filter)) {
                    return visited;
                }
                RexNode condition = RexUtil.pullFactors(cluster.getRexBuilder(), filter.getCondition());
                return filter.copy(filter.getTraitSet(), filter.getInput(), condition);
            }
        });
    }

    /** Drops columns that no operator above needs. */
    private RelNode trimmed(RelNode root) {
        return new ColumnTrimmer(builder).trim(root);
    }

    private static List<RelOptRule> unsimplified(List<RelOptRule> rules) {
        return rules.stream()
                .filter(rule -> !SIMPLIFYING.contains(rule))
                .map(rule -> rule instanceof RelRule<?> configured
                        ? configured
                                .config
                                .withRelBuilderFactory(UNSIMPLIFIED_BUILDER)
                                .toRule()
                        : rule)
                .toList();
    }

    private RelNode apply(RelNode root, List<RelOptRule> rules) {
        Interruption.check();
        HepProgramBuilder program =
                new HepProgramBuilder().addMatchOrder(wide ? HepMatchOrder.ARBITRARY : HepMatchOrder.TOP_DOWN);
        program.addRuleCollection(simplified ? rules : unsimplified(rules));
        HepPlanner planner =
                new HepPlanner(program.build(), cluster.getPlanner().getContext()) {
                    @Override
                    public void checkCancel() {
                        Interruption.check();
                    }
                };
        planner.setLargePlanMode(wide);
        planner.setEnableFiredRulesCache(wide);
        planner.setExecutor(constants);
        planner.setRoot(root);
        return planner.findBestExp();
    }
}
