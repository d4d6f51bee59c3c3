package io.skep.ql.reuse;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.TypeMapping;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;

/** Parameters in algebra: where they may be, and how values take their places. */
final class Parameters {
    private Parameters() {}

    /**
     * Whether parameters are only where the analysis of a number does not depend on its value: compared with a column that is
     * an INT or a BIGINT and needs no cast. Anywhere else a number might have been converted, or known to equal nothing.
     */
    static boolean areOnlyCompared(RelNode analyzed) {
        Check check = new Check();
        rewritten(analyzed, check);
        return check.onlyCompared;
    }

    /** The algebra with values in the place of parameters. */
    static RelNode bound(RelNode rel, List<Long> values) {
        return rewritten(rel, new Binding((HiveRexBuilder) rel.getCluster().getRexBuilder(), values));
    }

    private static RelNode rewritten(RelNode rel, RexShuttle expressions) {
        return rel.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(expressions);
            }
        });
    }

    private static final class Check extends RexShuttle {
        private boolean onlyCompared = true;

        @Override
        public RexNode visitDynamicParam(RexDynamicParam parameter) {
            onlyCompared = false;
            return parameter;
        }

        @Override
        public RexNode visitCall(RexCall call) {
            boolean compares =
                    call.isA(SqlKind.COMPARISON) && call.getOperands().size() == 2;
            boolean allowed = compares
                    && (isColumnAndParameter(
                                    call.getOperands().get(0),
                                    call.getOperands().get(1))
                            || isColumnAndParameter(
                                    call.getOperands().get(1),
                                    call.getOperands().get(0)));
            return allowed ? call : super.visitCall(call);
        }

        private static boolean isColumnAndParameter(RexNode column, RexNode parameter) {
            boolean widened = parameter.isA(SqlKind.CAST)
                    && TypeMapping.toSql(parameter.getType()) == PrimitiveType.BIGINT
                    && ((RexCall) parameter).getOperands().getFirst() instanceof RexDynamicParam;
            SqlType type = TypeMapping.toSql(column.getType());
            return column instanceof RexInputRef
                    && (type == PrimitiveType.INT || type == PrimitiveType.BIGINT)
                    && (parameter instanceof RexDynamicParam || widened);
        }
    }

    private static final class Binding extends RexShuttle {
        private final HiveRexBuilder rex;
        private final List<Long> values;

        private Binding(HiveRexBuilder rex, List<Long> values) {
            this.rex = rex;
            this.values = values;
        }

        @Override
        public RexNode visitDynamicParam(RexDynamicParam parameter) {
            return rex.constant(
                    new Datum.OfLong(values.get(parameter.getIndex())), TypeMapping.toSql(parameter.getType()));
        }

        @Override
        public RexNode visitCall(RexCall call) {
            RexNode bound = super.visitCall(call);
            boolean castOfParameter =
                    call.isA(SqlKind.CAST) && call.getOperands().getFirst() instanceof RexDynamicParam;
            return castOfParameter && ((RexCall) bound).getOperands().getFirst() instanceof RexLiteral literal
                    ? rex.ensureType(call.getType(), rex.cast(literal, TypeMapping.toSql(call.getType())), true)
                    : bound;
        }
    }
}
