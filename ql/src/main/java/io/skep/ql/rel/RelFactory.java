package io.skep.ql.rel;

import io.skep.common.type.SqlType;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;

/**
 * The objects for building one plan: cluster, types, expressions. The cluster does not fold constants, because
 * Calcite's evaluation differs from Hive's.
 */
public final class RelFactory {
    private final TypeMapping types;
    private final HiveRexBuilder rex;
    private final RelOptCluster cluster;

    public RelFactory() {
        HiveTypeFactory typeFactory = new HiveTypeFactory();
        types = new TypeMapping(typeFactory);
        rex = new HiveRexBuilder(typeFactory, types);
        VolcanoPlanner planner = new VolcanoPlanner();
        planner.setExecutor((builder, expressions, reduced) -> reduced.addAll(expressions));
        cluster = RelOptCluster.create(planner, rex);
    }

    private RelFactory(RelOptCluster cluster) {
        this.types = new TypeMapping((HiveTypeFactory) cluster.getTypeFactory());
        this.rex = (HiveRexBuilder) cluster.getRexBuilder();
        this.cluster = cluster;
    }

    /** Returns the objects for building further algebra of a plan. */
    public static RelFactory of(RelOptCluster cluster) {
        return new RelFactory(cluster);
    }

    public RelOptCluster cluster() {
        return cluster;
    }

    public TypeMapping types() {
        return types;
    }

    public HiveRexBuilder rex() {
        return rex;
    }

    public RelDataType type(SqlType type) {
        return types.toRel(type);
    }

    /** Returns a relation without rows, over whose columns expressions are analyzed. */
    public RelNode noRows(List<String> names, List<SqlType> columnTypes) {
        return LogicalValues.createEmpty(cluster, types.rowType(names, columnTypes));
    }

    /** Returns a reference to column {@code index} of a relation. */
    public RexNode column(RelNode input, int index) {
        return rex.makeInputRef(input, index);
    }

    public List<RexNode> columns(RelNode input) {
        return List.copyOf(rex.identityProjects(input.getRowType()));
    }
}
