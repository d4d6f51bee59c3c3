package io.skep.ql.reuse;

import io.skep.common.type.SqlType;
import io.skep.ql.rel.ConstantList;
import io.skep.ql.rel.HiveOperators;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.PlanParameter;
import io.skep.ql.rel.TypeMapping;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Finds the parameters in algebra, replaces them by values, and estimates the size of algebra. */
final class Parameters {
    /** The size of a relation, including its traits, hints and type. */
    private static final long BYTES_RELATION = 600;

    private static final long BYTES_FIELD = 120;
    private static final long BYTES_EXPRESSION = 150;

    /** The size of a character, which occurs in the value and in the text. */
    private static final long BYTES_CHARACTER = 4;

    private Parameters() {}

    /**
     * Returns the types of the algebra's parameters by their numbers, including those in subqueries. Empty if a
     * parameter stands where only the statement's own value is allowed.
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
            sound &= parameter instanceof PlanParameter open
                    && open.isReplaceable()
                    && (known == null || known.equals(type));
            return parameter;
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            rewritten(query.rel, this);
            return super.visitSubQuery(query);
        }
    }

    /**
     * Returns the algebra with values in place of its parameters. Each parameter has one value, unless it is a list.
     */
    static RelNode bindValues(RelNode rel, Map<Integer, List<RexLiteral>> values) {
        return rewritten(rel, new Binding((HiveRexBuilder) rel.getCluster().getRexBuilder(), values));
    }

    /**
     * The size of algebra.
     *
     * @param nodes relations and calls, which bounds their nesting depth
     * @param bytes the estimated size on the heap
     */
    record Size(int nodes, long bytes) {}

    static Size size(RelNode algebra) {
        Sizes sizes = new Sizes();
        new RelVisitor() {
            @Override
            public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
                sizes.nodes++;
                sizes.bytes += BYTES_RELATION + BYTES_FIELD * node.getRowType().getFieldCount();
                if (node instanceof Values values) {
                    values.getTuples().forEach(row -> row.forEach(sizes::visitLiteral));
                }
                node.accept(sizes);
                super.visit(node, ordinal, parent);
            }
        }.go(algebra);
        return new Size(sizes.nodes, sizes.bytes);
    }

    private static final class Sizes extends RexShuttle {
        private int nodes;
        private long bytes;

        @Override
        public RexNode visitCall(RexCall call) {
            nodes++;
            bytes += BYTES_EXPRESSION;
            return super.visitCall(call);
        }

        @Override
        public RexNode visitDynamicParam(RexDynamicParam parameter) {
            bytes += BYTES_EXPRESSION;
            if (parameter instanceof ConstantList list) {
                list.values().forEach(this::visitLiteral);
            }
            return parameter;
        }

        @Override
        public RexNode visitOver(RexOver window) {
            nodes++;
            bytes += BYTES_EXPRESSION;
            return super.visitOver(window);
        }

        @Override
        public RexNode visitInputRef(RexInputRef column) {
            bytes += BYTES_EXPRESSION;
            return column;
        }

        /** A literal also keeps its text. */
        @Override
        public RexNode visitLiteral(RexLiteral literal) {
            bytes += BYTES_EXPRESSION + BYTES_CHARACTER * literal.toString().length();
            return literal;
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
            if (HiveOperators.isInList(call) && call.getOperands().get(1) instanceof PlanParameter list) {
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
