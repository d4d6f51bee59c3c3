package io.skep.ql.analyze;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.PlanParameter;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes CASE, IF, BETWEEN, IN, LIKE ANY and LIKE ALL. */
final class Conditionals {
    private final FunctionCalls functions;
    private final ExpressionAnalyzer expressions;

    Conditionals(FunctionCalls functions, ExpressionAnalyzer expressions) {
        this.functions = functions;
        this.expressions = expressions;
    }

    private HiveRexBuilder rex() {
        return expressions.rex();
    }

    /**
     * Analyzes {@code CASE x WHEN a THEN b ... [ELSE c] END}, which the grammar rewrites as
     * {@code when(x = a, b, ..., c)}.
     */
    RexNode simpleCase(SyntaxNode node) {
        List<SyntaxNode> parts = node.children().subList(1, node.childCount());
        List<RexNode> operands = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            boolean condition = i % 2 == 0 && i < parts.size() - 1;
            operands.add(condition ? match(parts.get(i)) : expressions.analyze(parts.get(i)));
        }
        return branches(node, operands);
    }

    private RexNode match(SyntaxNode equality) {
        RexNode value = expressions.analyze(equality.child(0));
        RexNode candidate = expressions.analyze(equality.child(1));
        join(equality, ExpressionAnalyzer.type(value), ExpressionAnalyzer.type(candidate));
        return expressions.comparisons().compare(equality, SqlStdOperatorTable.EQUALS, value, candidate);
    }

    /** Analyzes {@code CASE WHEN a THEN b ... [ELSE c] END}. */
    RexNode searchedCase(SyntaxNode node) {
        List<SyntaxNode> parts = node.children().subList(1, node.childCount());
        List<RexNode> operands = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            boolean condition = i % 2 == 0 && i < parts.size() - 1;
            operands.add(
                    condition
                            ? flag(parts.get(i), "\"boolean\" is expected after WHEN, but \"%s\" is found")
                            : expressions.analyze(parts.get(i)));
        }
        return branches(node, operands);
    }

    /**
     * Analyzes a condition, which is a boolean or a plain NULL. Unlike WHERE, Hive does not convert other values here.
     *
     * @param words Hive's error for a value of another type
     */
    private RexNode flag(SyntaxNode node, String words) {
        RexNode value = expressions.analyze(node);
        SqlType type = ExpressionAnalyzer.type(value);
        if (type != PrimitiveType.BOOLEAN && type != PrimitiveType.VOID) {
            throw SemanticErrors.typeMismatch(node, words.formatted(type.displayName()))
                    .withHint("compare the value, or convert it with CAST(... AS boolean)");
        }
        return rex().cast(value, PrimitiveType.BOOLEAN);
    }

    RexNode ifElse(SyntaxNode node, List<SyntaxNode> arguments) {
        List<RexNode> operands = new ArrayList<>();
        operands.add(flag(
                arguments.getFirst(), "The first argument of function IF should be \"boolean\", but \"%s\" is found"));
        operands.add(expressions.analyze(arguments.get(1)));
        operands.add(expressions.analyze(arguments.get(2)));
        return branches(node, operands);
    }

    /**
     * Builds a CASE from the operands: condition, value, condition, value, ... [default value]. All values are
     * converted to one type.
     */
    private RexNode branches(SyntaxNode node, List<RexNode> operands) {
        if (operands.size() % 2 == 0) {
            operands.add(rex().constant(Datum.NULL, PrimitiveType.VOID));
        }
        SqlType type = PrimitiveType.VOID;
        for (int i = 1; i < operands.size(); i += 2) {
            type = join(node, type, ExpressionAnalyzer.type(operands.get(i)));
        }
        type = join(node, type, ExpressionAnalyzer.type(operands.getLast()));
        List<RexNode> converted = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            boolean value = i % 2 == 1 || i == operands.size() - 1;
            converted.add(value ? rex().cast(operands.get(i), type) : operands.get(i));
        }
        return rex().makeCall(expressions.factory().type(type), SqlStdOperatorTable.CASE, converted);
    }

    private static SqlType join(SyntaxNode node, SqlType type, SqlType other) {
        return TypeRules.branch(type, other)
                .orElseThrow(() -> SemanticErrors.typeMismatch(
                        node, "the branches have types that do not go together: " + type + " and " + other));
    }

    /**
     * Analyzes BETWEEN. The arguments are the negation flag, the value, the lower bound and the upper bound. The flag
     * is always false, because the grammar wraps BETWEEN in NOT instead.
     */
    RexNode between(SyntaxNode node, List<SyntaxNode> arguments) {
        RexNode value = expressions.analyze(arguments.get(1));
        RexNode low = expressions.analyze(arguments.get(2));
        RexNode high = expressions.analyze(arguments.get(3));
        Comparisons comparisons = expressions.comparisons();
        RexNode inside = rex().makeCall(
                        SqlStdOperatorTable.AND,
                        comparisons.compare(node, SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, value, low),
                        comparisons.compare(node, SqlStdOperatorTable.LESS_THAN_OR_EQUAL, value, high));
        boolean negated = arguments.getFirst().is(HiveParser.KW_TRUE);
        return negated ? rex().makeCall(SqlStdOperatorTable.NOT, inside) : inside;
    }

    RexNode in(SyntaxNode node, List<SyntaxNode> arguments) {
        SyntaxNode value = arguments.getFirst();
        List<SyntaxNode> candidates = arguments.subList(1, arguments.size());
        if (isRow(value)) {
            return rowIn(node, value, candidates);
        }
        RexNode looked = expressions.analyze(value);
        List<RexNode> among = expressions.analyze(candidates);
        return among.getFirst() instanceof PlanParameter list
                        && candidates.getFirst().is(SyntaxNode.LIST_PARAMETER)
                ? expressions.comparisons().inParameterList(node, looked, list)
                : expressions.comparisons().in(node, looked, among);
    }

    private static boolean isRow(SyntaxNode node) {
        return node.is(HiveParser.TOK_FUNCTION) && node.child(0).text().equalsIgnoreCase("struct");
    }

    /** Analyzes {@code (a, b) IN ((1, 2), (3, 4))} field by field. */
    private RexNode rowIn(SyntaxNode node, SyntaxNode value, List<SyntaxNode> candidates) {
        List<RexNode> fields = expressions.analyze(FunctionCalls.arguments(value));
        List<RexNode> alternatives = new ArrayList<>();
        for (SyntaxNode candidate : candidates) {
            List<SyntaxNode> values = isRow(candidate) ? FunctionCalls.arguments(candidate) : List.of(candidate);
            if (values.size() != fields.size()) {
                throw SemanticErrors.error(
                        StandardErrorCode.TYPE_MISMATCH,
                        candidate,
                        "a row of " + values.size() + " values is compared with one of " + fields.size());
            }
            List<RexNode> equal = new ArrayList<>();
            for (int i = 0; i < fields.size(); i++) {
                equal.add(expressions
                        .comparisons()
                        .compare(node, SqlStdOperatorTable.EQUALS, fields.get(i), expressions.analyze(values.get(i))));
            }
            alternatives.add(equal.size() == 1 ? equal.getFirst() : rex().makeCall(SqlStdOperatorTable.AND, equal));
        }
        return alternatives.size() == 1
                ? alternatives.getFirst()
                : rex().makeCall(SqlStdOperatorTable.OR, alternatives);
    }

    /** Analyzes {@code x LIKE ANY (...)} and {@code x LIKE ALL (...)}. */
    RexNode like(SyntaxNode node, String name, List<SyntaxNode> arguments) {
        if (arguments.size() < 2) {
            String operator = name.equals("likeany") ? "any" : "all";
            throw CompileErrors.at(
                    node,
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.INVALID_ARGUMENT_LENGTH,
                    "The like " + operator + " operator requires at least one pattern for matching, got 0");
        }
        RexNode value = expressions.analyze(arguments.getFirst());
        List<RexNode> tests = new ArrayList<>();
        for (SyntaxNode pattern : arguments.subList(1, arguments.size())) {
            tests.add(functions.call(node, "like", List.of(value, expressions.analyze(pattern))));
        }
        if (tests.size() == 1) {
            return tests.getFirst();
        }
        return rex().makeCall(name.equals("likeany") ? SqlStdOperatorTable.OR : SqlStdOperatorTable.AND, tests);
    }
}
