package io.skep.ql.optimize;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexPermuteInputsShuttle;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mappings;

/**
 * Drops columns that nothing needs below projections with window functions. The field trimmer cannot: it merges its
 * projection with the one above, and windows keep all columns of their input.
 */
final class WindowInputs extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(RelNode other) {
        RelNode visited = super.visit(other);
        return visited instanceof LogicalProject project && project.containsOver() ? narrowed(project) : visited;
    }

    private static RelNode narrowed(LogicalProject project) {
        RelNode input = project.getInput();
        int columns = input.getRowType().getFieldCount();
        ImmutableBitSet used = RelOptUtil.InputFinder.bits(project.getProjects(), null);
        if (used.cardinality() == columns) {
            return project;
        }
        RelNode narrow = used.isEmpty() ? withoutColumns(input) : RelOptUtil.createProject(input, used.asList());
        RexPermuteInputsShuttle moved =
                new RexPermuteInputsShuttle(Mappings.target(used::indexOf, columns, used.cardinality()), narrow);
        List<RexNode> values = moved.visitList(project.getProjects());
        return project.copy(project.getTraitSet(), narrow, values, project.getRowType());
    }

    /** Returns as many rows with a constant. */
    private static RelNode withoutColumns(RelNode input) {
        RexBuilder rex = input.getCluster().getRexBuilder();
        return LogicalProject.create(
                input, List.of(), List.of(rex.makeExactLiteral(BigDecimal.ZERO)), List.of("zero"), Set.of());
    }
}
