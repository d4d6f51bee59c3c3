package io.skep.ql.physical;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Range;
import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.Expression;
import io.skep.ql.rel.ConstantList;
import io.skep.ql.rel.HiveOperators;
import io.skep.ql.rel.LiteralMapping;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.Sarg;

/**
 * Translates Calcite's row expressions to plan expressions. Functions keep their names; Calcite's operators get Hive's
 * names.
 */
public final class RexTranslator {
    /**
     * The maximum number of comparisons that are evaluated as separate conjuncts, each over the rows that the previous
     * ones have kept. A NOT IN with more values becomes a search in a set.
     */
    private static final int MAX_CONJUNCTS = 16;

    private final RexBuilder rexBuilder;

    public RexTranslator(RexBuilder rexBuilder) {
        this.rexBuilder = rexBuilder;
    }

    public Expression translate(RexNode node) {
        Interruption.check();
        return switch (node) {
            case RexInputRef ref -> new Expression.InputColumn(ref.getIndex(), type(ref));
            case RexLiteral literal -> constant(literal);
            case RexCall call -> call(call);
            default ->
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED, "an expression of this kind cannot be executed: " + node);
        };
    }

    public List<Expression> translateAll(List<? extends RexNode> nodes) {
        return nodes.stream().map(this::translate).toList();
    }

    static SqlType type(RexNode node) {
        return TypeMapping.toSql(node.getType());
    }

    private Expression call(RexCall call) {
        return switch (call.getKind()) {
            case AND -> and(translateAll(call.getOperands()));
            case OR -> or(translateAll(call.getOperands()));
            case CASE -> caseWhen(call);
            case CAST -> cast(translate(call.getOperands().getFirst()), type(call));
            case OTHER_FUNCTION -> function(call);
            case SEARCH -> search(call);
            case IN -> in(call);
            case REINTERPRET -> translate(call.getOperands().getFirst());
            default -> new Expression.Call(name(call), translateAll(call.getOperands()), type(call));
        };
    }

    /**
     * Translates a search argument. A list of values becomes a set. Expanding it would make an OR with one comparison
     * per value.
     */
    private Expression search(RexCall call) {
        Sarg<?> sought = requireNonNull(((RexLiteral) call.getOperands().getLast()).getValueAs(Sarg.class));
        boolean among = sought.isPoints();
        if (sought.nullAs != RexUnknownAs.UNKNOWN
                || sought.pointCount <= 1
                || !among && !sought.isComplementedPoints()) {
            return translate(RexUtil.expandSearch(rexBuilder, null, call));
        }
        RexNode value = call.getOperands().getFirst();
        List<Expression.Constant> candidates = new ArrayList<>();
        for (Range<?> range : (among ? sought : sought.negate()).rangeSet.asRanges()) {
            if (!(translate(rexBuilder.makeLiteral(range.lowerEndpoint(), value.getType(), true, true))
                    instanceof Expression.Constant constant)) {
                return translate(RexUtil.expandSearch(rexBuilder, null, call));
            }
            candidates.add(constant);
        }
        return search(among ? "=" : "<>", translate(value), candidates);
    }

    private static Expression or(List<Expression> operands) {
        List<Expression> alternatives = searched("=", operands);
        return alternatives.size() == 1 ? alternatives.getFirst() : new Expression.Or(alternatives);
    }

    private static Expression and(List<Expression> operands) {
        List<Expression> conjuncts = operands.size() > MAX_CONJUNCTS ? searched("<>", operands) : operands;
        return conjuncts.size() == 1 ? conjuncts.getFirst() : new Expression.And(conjuncts);
    }

    /** Combines comparisons of one value with several constants into one search in the set of these constants. */
    private static List<Expression> searched(String comparison, List<Expression> operands) {
        Map<Expression, List<Expression.Constant>> constants = new LinkedHashMap<>();
        List<Expression> others = new ArrayList<>();
        for (Expression operand : operands) {
            if (operand instanceof Expression.Call(String name, List<Expression> arguments, SqlType _)
                    && name.equals(comparison)
                    && arguments.getLast() instanceof Expression.Constant constant
                    && constant.type().equals(arguments.getFirst().type())) {
                constants
                        .computeIfAbsent(arguments.getFirst(), _ -> new ArrayList<>())
                        .add(constant);
            } else {
                others.add(operand);
            }
        }
        List<Expression> searches = new ArrayList<>();
        constants.forEach((value, candidates) -> searches.add(search(comparison, value, candidates)));
        searches.addAll(others);
        return searches;
    }

    private static Expression search(String comparison, Expression value, List<Expression.Constant> candidates) {
        if (candidates.size() == 1) {
            return new Expression.Call(comparison, List.of(value, candidates.getFirst()), PrimitiveType.BOOLEAN);
        }
        Expression in = new Expression.In(value, candidates);
        return comparison.equals("=") ? in : new Expression.Call("not", List.of(in), PrimitiveType.BOOLEAN);
    }

    private Expression function(RexCall call) {
        if (HiveOperators.isInList(call) && call.getOperands().get(1) instanceof ConstantList list) {
            List<Expression.Constant> candidates = new ArrayList<>(list.values().size());
            for (RexLiteral value : list.values()) {
                Interruption.check();
                candidates.add(constant(value));
            }
            return search("=", translate(call.getOperands().getFirst()), candidates);
        }
        List<Expression> arguments = translateAll(call.getOperands());
        return call.getOperator().getName().equals(HiveOperators.CAST)
                ? cast(arguments.getFirst(), type(call))
                : new Expression.Call(call.getOperator().getName(), arguments, type(call));
    }

    private static Expression cast(Expression operand, SqlType type) {
        return operand.type().equals(type) ? operand : new Expression.Cast(operand, type);
    }

    /**
     * Translates CASE. A CASE in the ELSE of another one adds its branches to it, because programs generate thousands
     * of nested ones.
     */
    private Expression caseWhen(RexCall call) {
        SqlType type = type(call);
        List<Expression.Case.Branch> branches = new ArrayList<>();
        RexNode otherwise = call;
        while (otherwise instanceof RexCall choice
                && choice.isA(SqlKind.CASE)
                && type(choice).equals(type)) {
            List<RexNode> operands = choice.getOperands();
            for (int i = 0; i + 1 < operands.size(); i += 2) {
                branches.add(new Expression.Case.Branch(
                        translate(operands.get(i)), cast(translate(operands.get(i + 1)), type)));
            }
            otherwise = operands.getLast();
        }
        return new Expression.Case(branches, cast(translate(otherwise), type));
    }

    private Expression in(RexCall call) {
        Expression value = translate(call.getOperands().getFirst());
        List<Expression.Constant> candidates = new ArrayList<>();
        for (RexNode operand : call.getOperands().subList(1, call.getOperands().size())) {
            if (!(translate(operand) instanceof Expression.Constant constant)) {
                return inAsOr(value, call);
            }
            candidates.add(constant);
        }
        return new Expression.In(value, candidates);
    }

    private Expression inAsOr(Expression value, RexCall call) {
        List<Expression> alternatives = new ArrayList<>();
        for (RexNode operand : call.getOperands().subList(1, call.getOperands().size())) {
            alternatives.add(new Expression.Call("=", List.of(value, translate(operand)), PrimitiveType.BOOLEAN));
        }
        return alternatives.size() == 1 ? alternatives.getFirst() : new Expression.Or(alternatives);
    }

    private static String name(RexCall call) {
        return switch (call.getKind()) {
            case IS_NULL -> "isnull";
            case IS_NOT_NULL -> "isnotnull";
            case IS_TRUE -> "istrue";
            case IS_NOT_TRUE -> "isnottrue";
            case IS_FALSE -> "isfalse";
            case IS_NOT_FALSE -> "isnotfalse";
            case IS_NOT_DISTINCT_FROM -> "<=>";
            case IS_DISTINCT_FROM -> "is_distinct_from";
            case NOT -> "not";
            case EQUALS -> "=";
            case NOT_EQUALS -> "<>";
            case LESS_THAN -> "<";
            case LESS_THAN_OR_EQUAL -> "<=";
            case GREATER_THAN -> ">";
            case GREATER_THAN_OR_EQUAL -> ">=";
            case PLUS -> "+";
            case MINUS -> "-";
            case TIMES -> "*";
            case MINUS_PREFIX -> "negative";
            default -> call.getOperator().getName().toLowerCase(Locale.ROOT);
        };
    }

    private static Expression.Constant constant(RexLiteral literal) {
        SqlType type = type(literal);
        return new Expression.Constant(LiteralMapping.toDatum(literal, type), type);
    }
}
