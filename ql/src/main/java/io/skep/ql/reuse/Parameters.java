package io.skep.ql.reuse;

import io.skep.common.type.SqlType;
import io.skep.ql.rel.HiveOperators;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.OpenValue;
import io.skep.ql.rel.TypeMapping;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Parameters in algebra: which there are, how values take their places, and what that takes. */
final class Parameters {
    private Parameters() {}

    /**
     * The types that the algebra's parameters have, by their numbers; also those in its subqueries. Empty when a parameter
     * stands where no value but the statement's own may be.
     */
    static Optional<Map<Integer, SqlType>> types(RelNode analyzed) {
        Types types = new Types();
        rewritten(analyzed, types);
        return types.sound ? Optional.of(types.found) : Optional.empty();
    }

    private static final class Types extends RexShuttle {
        private final Map<Integer, SqlType> found = new HashMap<>();
        private boolean sound = true;

        @Override
        public RexNode visitDynamicParam(RexDynamicParam parameter) {
            SqlType type = TypeMapping.toSql(parameter.getType());
            SqlType known = found.putIfAbsent(parameter.getIndex(), type);
            sound &= parameter instanceof OpenValue open && open.isPlaced() && (known == null || known.equals(type));
            return parameter;
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            rewritten(query.rel, this);
            return super.visitSubQuery(query);
        }
    }

    /** The algebra with values in the place of parameters; one value but where the parameter is a list. */
    static RelNode bound(RelNode rel, Map<Integer, List<RexLiteral>> values) {
        return rewritten(rel, new Binding((HiveRexBuilder) rel.getCluster().getRexBuilder(), values));
    }

    /** How many relations and calls there are, which is a bound of how deep they nest. */
    static int nodes(RelNode algebra) {
        Nodes nodes = new Nodes();
        new RelVisitor() {
            @Override
            public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
                nodes.count++;
                node.accept(nodes);
                super.visit(node, ordinal, parent);
            }
        }.go(algebra);
        return nodes.count;
    }

    private static final class Nodes extends RexShuttle {
        private int count;

        @Override
        public RexNode visitCall(RexCall call) {
            count++;
            return super.visitCall(call);
        }

        @Override
        public RexNode visitOver(RexOver window) {
            count++;
            return super.visitOver(window);
        }
    }

    private static RelNode rewritten(RelNode rel, RexShuttle expressions) {
        return rel.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(expressions);
            }
        });
    }

    private static final class Binding extends RexShuttle {
        private final HiveRexBuilder rex;
        private final Map<Integer, List<RexLiteral>> values;

        private Binding(HiveRexBuilder rex, Map<Integer, List<RexLiteral>> values) {
            this.rex = rex;
            this.values = values;
        }

        private List<RexLiteral> values(RexDynamicParam parameter) {
            List<RexLiteral> bound = values.get(parameter.getIndex());
            if (bound == null) {
                throw new IllegalStateException("no value for parameter " + parameter);
            }
            return bound;
        }

        @Override
        public RexNode visitDynamicParam(RexDynamicParam parameter) {
            return values(parameter).getFirst();
        }

        @Override
        public RexNode visitCall(RexCall call) {
            if (HiveOperators.isInList(call) && call.getOperands().get(1) instanceof OpenValue list) {
                RexNode value = call.getOperands().getFirst().accept(this);
                return rex.ensureType(call.getType(), rex.in(value, values(list)), true);
            }
            RexNode bound = super.visitCall(call);
            boolean castOfParameter =
                    call.isA(SqlKind.CAST) && call.getOperands().getFirst() instanceof RexDynamicParam;
            return castOfParameter && ((RexCall) bound).getOperands().getFirst() instanceof RexLiteral literal
                    ? rex.ensureType(call.getType(), rex.cast(literal, TypeMapping.toSql(call.getType())), true)
                    : bound;
        }
    }
}
