package io.skep.ql.analyze;

import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.util.ImmutableBitSet;

/** Finds the fields that inner queries read of outer rows. */
final class CorrelatedFields extends RexShuttle {
    private final Set<CorrelationId> variables;
    private final ImmutableBitSet.Builder found = ImmutableBitSet.builder();

    CorrelatedFields(Set<CorrelationId> variables) {
        this.variables = variables;
    }

    ImmutableBitSet found() {
        return found.build();
    }

    /** Searches the expressions of a relation, those of the relations below it, and all inner queries. */
    void visit(RelNode rel) {
        rel.accept(this);
        rel.getInputs().forEach(this::visit);
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
        if (access.getReferenceExpr() instanceof RexCorrelVariable variable && variables.contains(variable.id)) {
            found.set(access.getField().getIndex());
        }
        return super.visitFieldAccess(access);
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
        visit(query.rel);
        return super.visitSubQuery(query);
    }
}
