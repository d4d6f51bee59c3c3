package io.skep.ql.optimize;

import io.skep.ql.rel.SkepTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelHintsPropagator;
import org.apache.calcite.plan.RelOptMaterialization;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptRuleOperand;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.rules.materialize.MaterializedViewOnlyAggregateRule;
import org.apache.calcite.rel.rules.materialize.MaterializedViewOnlyFilterRule;
import org.apache.calcite.rel.rules.materialize.MaterializedViewOnlyJoinRule;
import org.apache.calcite.rel.rules.materialize.MaterializedViewProjectAggregateRule;
import org.apache.calcite.rel.rules.materialize.MaterializedViewProjectFilterRule;
import org.apache.calcite.rel.rules.materialize.MaterializedViewProjectJoinRule;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexTableInputRef;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Answers parts of a query from materialized views. Calcite's rules find the answers; each part is matched with them
 * from the root down, and gets the answer that reads the fewest rows. Parts whose answers the rules would get wrong are
 * left out (see {@link #isSafe}).
 */
final class MaterializedViewRewriting {
    /** The functions that the rules tell from each other. They compare the kinds of functions, not the functions. */
    private static final Set<SqlKind> KNOWN = Set.of(SqlKind.COUNT, SqlKind.SUM, SqlKind.MIN, SqlKind.MAX, SqlKind.AVG);

    /**
     * The rules, larger parts first. None of them reads rows that a view lacks from its sources: these unions are not
     * used.
     */
    private static final List<Matched> RULES = List.of(
            new Matched(
                    MaterializedViewProjectAggregateRule.Config.DEFAULT
                            .withGenerateUnionRewriting(false)
                            .toRule(),
                    Project.class,
                    Optional.of(Aggregate.class)),
            new Matched(
                    MaterializedViewOnlyAggregateRule.Config.DEFAULT
                            .withGenerateUnionRewriting(false)
                            .toRule(),
                    Aggregate.class,
                    Optional.empty()),
            new Matched(
                    MaterializedViewProjectJoinRule.Config.DEFAULT
                            .withGenerateUnionRewriting(false)
                            .toRule(),
                    Project.class,
                    Optional.of(Join.class)),
            new Matched(
                    MaterializedViewOnlyJoinRule.Config.DEFAULT
                            .withGenerateUnionRewriting(false)
                            .toRule(),
                    Join.class,
                    Optional.empty()),
            new Matched(
                    MaterializedViewProjectFilterRule.Config.DEFAULT
                            .withGenerateUnionRewriting(false)
                            .toRule(),
                    Project.class,
                    Optional.of(Filter.class)),
            new Matched(
                    MaterializedViewOnlyFilterRule.Config.DEFAULT
                            .withGenerateUnionRewriting(false)
                            .toRule(),
                    Filter.class,
                    Optional.empty()));

    private final RelOptPlanner views;
    private final RelMetadataQuery metadata;

    /** A rule, and the operators that it is for. */
    private record Matched(RelOptRule rule, Class<? extends RelNode> top, Optional<Class<? extends RelNode>> below) {
        boolean matches(RelNode node) {
            return top.isInstance(node)
                    && (below.isEmpty()
                            || below.get().isInstance(node.getInputs().getFirst()));
        }

        RelNode[] operators(RelNode node) {
            return below.isEmpty()
                    ? new RelNode[] {node}
                    : new RelNode[] {node, node.getInputs().getFirst()};
        }
    }

    /** Collects what a rule makes of a part. */
    private static final class Call extends RelOptRuleCall {
        private final List<RelNode> answers = new ArrayList<>();

        Call(RelOptPlanner planner, RelOptRuleOperand operand, RelNode[] operators) {
            super(planner, operand, operators, Map.of());
        }

        @Override
        public void transformTo(RelNode answer, Map<RelNode, RelNode> equivalent, RelHintsPropagator hints) {
            answers.add(answer);
        }
    }

    /**
     * @param views with queries that the optimizer has brought into the form of the query's own parts
     * @param constants evaluates constant expressions as Hive does
     */
    MaterializedViewRewriting(List<MaterializedViewScan> views, RelMetadataQuery metadata, RexExecutor constants) {
        HepPlanner planner = new HepPlanner(HepProgram.builder().build());
        planner.setExecutor(constants);
        for (MaterializedViewScan view : views) {
            if (isSafe(view.query())) {
                planner.addMaterialization(
                        new RelOptMaterialization(view.rows(), view.query(), null, view.qualifiedName()));
            }
        }
        this.views = planner;
        this.metadata = metadata;
    }

    /** Returns algebra with the same rows. It is the query itself if no view answers a part of it. */
    RelNode rewrite(RelNode node) {
        for (Matched matched : RULES) {
            if (matched.matches(node)) {
                Optional<RelNode> answer = answer(matched, node);
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
        }
        List<RelNode> inputs = new ArrayList<>();
        node.getInputs().forEach(input -> inputs.add(rewrite(input)));
        return inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    }

    private Optional<RelNode> answer(Matched matched, RelNode node) {
        RelNode[] operators = matched.operators(node);
        RelNode core = operators[operators.length - 1];
        if (!isSafe(node) || core instanceof Aggregate aggregate && !hasSafeGroups(aggregate)) {
            return Optional.empty();
        }
        Call call = new Call(views, matched.rule().getOperand(), operators);
        matched.rule().onMatch(call);
        double fewest = rows(node);
        Optional<RelNode> best = Optional.empty();
        for (RelNode answer : call.answers) {
            double rows = rows(answer);
            if (rows <= fewest && (best.isEmpty() || rows < fewest)) {
                fewest = rows;
                best = Optional.of(answer);
            }
        }
        return best.map(answer -> named(answer, node.getRowType()));
    }

    private static RelNode named(RelNode answer, RelDataType type) {
        return LogicalProject.create(
                answer,
                List.of(),
                answer.getCluster().getRexBuilder().identityProjects(answer.getRowType()),
                type.getFieldNames(),
                Set.of());
    }

    /** Returns the number of rows that a part reads, without those that conditions directly above scans leave out. */
    private double rows(RelNode node) {
        return switch (node) {
            case TableScan _ -> metadata.getRowCount(node);
            case Filter filter when ofScan(filter.getInput()) -> metadata.getRowCount(node);
            default -> node.getInputs().stream().mapToDouble(this::rows).sum();
        };
    }

    private static boolean ofScan(RelNode node) {
        return node instanceof TableScan || node instanceof Project project && ofScan(project.getInput());
    }

    /**
     * Whether the rules treat a part correctly. They simplify the values of expressions as if they were conditions, for
     * which NULL and FALSE are the same, and tell aggregate functions apart by their kinds alone. A sample has other
     * rows if other partitions or files are read.
     */
    private static boolean isSafe(RelNode part) {
        return Repeatability.of(part) && hasSafeOperators(part);
    }

    private static boolean hasSafeOperators(RelNode part) {
        boolean safe = switch (part) {
            case TableScan scan ->
                scan.getTable().unwrapOrThrow(SkepTable.class).sample().isEmpty();
            case Project project -> project.getProjects().stream().noneMatch(MaterializedViewRewriting::isBoolean);
            case Aggregate aggregate ->
                aggregate.getAggCallList().stream().allMatch(MaterializedViewRewriting::isKnown);
            default -> true;
        };
        return safe && part.getInputs().stream().allMatch(MaterializedViewRewriting::hasSafeOperators);
    }

    private static boolean isBoolean(RexNode value) {
        return value.getType().getSqlTypeName() == SqlTypeName.BOOLEAN && !(value instanceof RexInputRef);
    }

    private static boolean isKnown(AggregateCall call) {
        return KNOWN.contains(call.getAggregation().getKind())
                && !call.hasFilter()
                && !call.ignoreNulls()
                && call.distinctKeys == null;
    }

    /**
     * Whether the keys of an aggregation are different columns of its tables. Keys that a condition makes equal are one
     * key for the rules, which compare the numbers of keys of query and view to find out whether groups are the same.
     */
    private boolean hasSafeGroups(Aggregate aggregate) {
        RelNode input = aggregate.getInput();
        RelOptPredicateList conditions = metadata.getAllPredicates(input);
        if (conditions == null) {
            return false;
        }
        Map<RexNode, RexNode> equal = new HashMap<>();
        for (RexNode condition : conditions.pulledUpPredicates) {
            if (condition instanceof RexCall call && call.getKind() == SqlKind.EQUALS) {
                RexNode first = representative(call.getOperands().get(0), equal);
                RexNode second = representative(call.getOperands().get(1), equal);
                if (!first.equals(second)) {
                    equal.put(first, second);
                }
            }
        }
        RexShuttle representatives = new RexShuttle() {
            @Override
            public RexNode visitTableInputRef(RexTableInputRef column) {
                return representative(column, equal);
            }
        };
        Set<RexNode> keys = new HashSet<>();
        for (int key : aggregate.getGroupSet()) {
            Set<RexNode> origins = metadata.getExpressionLineage(input, RexInputRef.of(key, input.getRowType()));
            if (origins == null
                    || origins.size() != 1
                    || !keys.add(origins.iterator().next().accept(representatives))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the same value for all values that are known to be equal. */
    private static RexNode representative(RexNode value, Map<RexNode, RexNode> equal) {
        RexNode found = value;
        for (RexNode next = equal.get(found); next != null; next = equal.get(found)) {
            found = next;
        }
        return found;
    }
}
