package io.skep.ql.analyze;

import com.google.common.collect.ImmutableSet;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/** Builds projections and filters over a scope. They set the correlation variable if inner queries use one. */
final class Projections {
    private Projections() {}

    /** @param names names for the first fields; fields without a name get one, and all names are made unique */
    static RelNode project(RelFactory factory, Scope scope, List<RexNode> values, List<String> names) {
        List<String> fields = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            fields.add(i < names.size() ? names.get(i) : "$f" + i);
        }
        List<String> unique = SqlValidatorUtil.uniquify(fields, true);
        return LogicalProject.create(scope.rel(), List.of(), values, unique, scope.correlation());
    }

    /** Projects a relation whose first fields keep their names. */
    static RelNode project(RelNode rel, List<RexNode> values) {
        List<String> names = new ArrayList<>(rel.getRowType().getFieldNames());
        for (int i = names.size(); i < values.size(); i++) {
            names.add("$f" + i);
        }
        return LogicalProject.create(rel, List.of(), values, SqlValidatorUtil.uniquify(names, true), Set.of());
    }

    static RelNode filter(Scope scope, RexNode condition) {
        return LogicalFilter.create(scope.rel(), condition, ImmutableSet.copyOf(scope.correlation()));
    }

    /** Projects a relation to its first fields. */
    static RelNode prefix(RelFactory factory, RelNode rel, int count) {
        if (rel.getRowType().getFieldCount() == count) {
            return rel;
        }
        List<RexNode> kept = factory.columns(rel).subList(0, count);
        List<String> names = rel.getRowType().getFieldNames().subList(0, count);
        return LogicalProject.create(rel, List.of(), kept, names, Set.of());
    }
}
