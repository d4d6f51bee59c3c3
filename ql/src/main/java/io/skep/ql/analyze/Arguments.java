package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.ql.rel.HiveOperators;
import io.skep.ql.rel.LiteralMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/** Describes arguments to the function catalog: their types, and the values of constants. */
final class Arguments {
    /**
     * The largest constant expression, in nodes, whose value is given to a function. In a chain of nested calls each
     * call evaluates everything below it.
     */
    private static final int MAX_CONSTANT = 200;

    /** The functions with one argument whose value Hive computes before it looks for the types of arithmetic. */
    private static final Set<String> OVER_LITERALS = Set.of(HiveOperators.CAST, "negative", "positive");

    private Arguments() {}

    static List<Argument> describe(List<RexNode> arguments, Environment environment) {
        List<Argument> described = new ArrayList<>(arguments.size());
        for (RexNode argument : arguments) {
            SqlType type = ExpressionAnalyzer.type(argument);
            described.add(new Argument(
                    type, type == PrimitiveType.VOID ? Optional.empty() : constant(argument, environment)));
        }
        return described;
    }

    /**
     * Describes the operands of arithmetic. A number next to a decimal counts with its own digits there, not with those
     * of its type. Hive knows the value of literals, and of signs and casts over them, but not of {@code 60 * 60}.
     */
    static List<Argument> describeOperands(List<RexNode> operands, Environment environment) {
        return operands.stream()
                .map(operand -> isLiteral(operand)
                        ? describe(List.of(operand), environment).getFirst()
                        : Argument.of(ExpressionAnalyzer.type(operand)))
                .toList();
    }

    private static boolean isLiteral(RexNode node) {
        return node instanceof RexLiteral
                || node instanceof RexCall call
                        && call.getOperands().size() == 1
                        && call.getOperands().getFirst() instanceof RexLiteral
                        && (call.isA(SqlKind.CAST)
                                || OVER_LITERALS.contains(call.getOperator().getName()));
    }

    private static Optional<Datum> constant(RexNode argument, Environment environment) {
        if (argument instanceof RexLiteral literal) {
            return Optional.of(LiteralMapping.toDatum(literal));
        }
        return argument.nodeCount() <= MAX_CONSTANT && isConstantCall(argument) && RexUtil.isDeterministic(argument)
                ? environment.context().evaluate(argument, environment.factory().rex())
                : Optional.empty();
    }

    private static boolean isConstantCall(RexNode node) {
        return node instanceof RexLiteral
                || node instanceof RexCall call
                        && !(call instanceof RexOver)
                        && !(call instanceof RexSubQuery)
                        && call.getOperands().stream().allMatch(Arguments::isConstantCall);
    }
}
