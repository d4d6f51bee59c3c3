package io.skep.ql.optimize;

import io.skep.ql.optimize.AggregationPlace.Level;
import io.skep.ql.optimize.AggregationPlace.Wanted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Pushes the first step of an aggregation below joins, onto the side that all arguments come from, if statistics
 * predict a benefit (eager aggregation: Yan, Larson, 1995). The first step groups by that side's group keys and by all
 * its columns that the joins above read. Therefore all rows of a group match the same rows and pass or fail together.
 * Its states pass the joins as columns. They are merged above as often as they occur: a row with k matches counts k
 * times, as it would without this rewrite.
 */
final class EagerAggregation {
    /**
     * Types with values that are equal but not identical, and types that contain them. One value of a group would
     * replace the others.
     */
    private static final Set<SqlTypeName> NOT_GROUPED = Set.of(
            SqlTypeName.FLOAT,
            SqlTypeName.REAL,
            SqlTypeName.DOUBLE,
            SqlTypeName.ARRAY,
            SqlTypeName.MAP,
            SqlTypeName.ROW,
            SqlTypeName.OTHER,
            SqlTypeName.ANY);

    private final EagerAggregationCost benefit;

    EagerAggregation(EagerAggregationCost benefit) {
        this.benefit = benefit;
    }

    RelNode rewrite(RelNode root) {
        List<RelNode> inputs = root.getInputs().stream().map(this::rewrite).toList();
        RelNode rel = inputs.equals(root.getInputs()) ? root : root.copy(root.getTraitSet(), inputs);
        return rel instanceof LogicalAggregate aggregate ? below(aggregate).orElse(rel) : rel;
    }

    private Optional<RelNode> below(Aggregate aggregate) {
        return SplitAggregate.of(aggregate).flatMap(split -> {
            Wanted wanted = new Wanted(split.keys(), split.arguments());
            return places(aggregate.getInput(), wanted, List.of())
                    .filter(place -> isGroupable(place.wanted().values()))
                    .map(place -> new Valued(place, benefit.of(place, aggregate)))
                    .filter(valued -> valued.gain() > 0)
                    .max(Comparator.comparingDouble(Valued::gain))
                    .map(best -> best.place().rebuilt(split));
        });
    }

    private record Valued(AggregationPlace place, double gain) {}

    private static boolean isGroupable(List<RexNode> values) {
        return values.stream()
                .noneMatch(value -> NOT_GROUPED.contains(value.getType().getSqlTypeName()));
    }

    /** Returns the places in or below a node. The node itself is a place if it is directly below a join. */
    private static Stream<AggregationPlace> places(RelNode rel, Wanted wanted, List<Level> above) {
        Stream<AggregationPlace> further = switch (rel) {
            case Project project -> {
                Optional<Wanted> before = before(project, wanted);
                if (before.isPresent()) {
                    yield places(project.getInput(), before.get(), above);
                }
                yield Stream.of();
            }
            case Filter filter -> belowFilter(filter, wanted, above);
            case Join join -> Stream.of(true, false).flatMap(onLeft -> belowJoin(join, onLeft, wanted, above));
            default -> Stream.of();
        };
        boolean itself = !above.isEmpty()
                && above.getLast().rel() instanceof Join
                && !(rel instanceof Project project && before(project, wanted).isPresent());
        return itself ? Stream.concat(Stream.of(new AggregationPlace(above, rel, wanted)), further) : further;
    }

    /** Translates the wanted expressions to a projection's input, if the projection allows it. */
    private static Optional<Wanted> before(Project project, Wanted wanted) {
        boolean plain = project.getVariablesSet().isEmpty()
                && !project.containsOver()
                && project.getProjects().stream().allMatch(RexUtil::isDeterministic);
        return plain
                ? Optional.of(new Wanted(
                        RelOptUtil.pushPastProject(wanted.values(), project),
                        RelOptUtil.pushPastProject(wanted.arguments(), project)))
                : Optional.empty();
    }

    private static Stream<AggregationPlace> belowFilter(Filter filter, Wanted wanted, List<Level> above) {
        if (!filter.getVariablesSet().isEmpty() || !RexUtil.isDeterministic(filter.getCondition())) {
            return Stream.of();
        }
        Level level = Level.of(filter, wanted.values());
        return places(filter.getInput(), new Wanted(level.ofSide(), wanted.arguments()), with(above, level));
    }

    private static Stream<AggregationPlace> belowJoin(Join join, boolean onLeft, Wanted wanted, List<Level> above) {
        boolean keepsSide = onLeft ? !join.getJoinType().generatesNullsOnLeft() : keepsRight(join);
        Level level = Level.of(join, onLeft, wanted.values());
        boolean ofSide = wanted.arguments().stream()
                .allMatch(argument ->
                        RelOptUtil.InputFinder.bits(argument).asList().stream().allMatch(level::isOfSide));
        if (!keepsSide || !ofSide || !isPlain(join, wanted)) {
            return Stream.of();
        }
        List<RexNode> arguments = wanted.arguments().stream()
                .map(argument -> RexUtil.shift(argument, -level.offset()))
                .toList();
        return places(level.side(), new Wanted(level.ofSide(), arguments), with(above, level));
    }

    private static boolean keepsRight(Join join) {
        return join.getJoinType().projectsRight() && !join.getJoinType().generatesNullsOnRight();
    }

    private static boolean isPlain(Join join, Wanted wanted) {
        return join.getVariablesSet().isEmpty()
                && RexUtil.isDeterministic(join.getCondition())
                && Stream.concat(wanted.values().stream(), wanted.arguments().stream())
                        .allMatch(RexUtil::isDeterministic);
    }

    private static List<Level> with(List<Level> levels, Level last) {
        List<Level> all = new ArrayList<>(levels);
        all.add(last);
        return all;
    }
}
