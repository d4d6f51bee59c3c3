package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionCatalog.ScalarSignature;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.jspecify.annotations.Nullable;

/**
 * Analyzes function calls, and the constructs that the grammar represents as calls: CAST, BETWEEN, IN, IS NULL, CASE.
 */
final class FunctionCalls {
    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%", "mod", "pmod");

    private final Environment environment;
    private final ExpressionAnalyzer expressions;
    private final Conditionals conditionals;

    FunctionCalls(Environment environment, ExpressionAnalyzer expressions) {
        this.environment = environment;
        this.expressions = expressions;
        this.conditionals = new Conditionals(this, expressions);
    }

    /** Returns the name of the called function, in lower case. */
    static String name(SyntaxNode call) {
        return Names.of(call.child(0));
    }

    static Optional<SyntaxNode> windowOf(SyntaxNode call) {
        return call.first(HiveParser.TOK_WINDOWSPEC);
    }

    /**
     * Returns the arguments of a call: the children after the name, without those that belong to OVER and WITHIN GROUP.
     */
    static List<SyntaxNode> arguments(SyntaxNode call) {
        if (call.is(HiveParser.TOK_FUNCTIONSTAR) && !name(call).equals("count")) {
            return List.of(call.withChildren(List.of()));
        }
        return call.children().stream()
                .skip(1)
                .filter(child -> switch (child.type()) {
                    case HiveParser.TOK_WINDOWSPEC,
                            HiveParser.TOK_WITHIN_GROUP,
                            HiveParser.TOK_IGNORE_NULLS,
                            HiveParser.TOK_RESPECT_NULLS -> false;
                    default -> true;
                })
                .toList();
    }

    HiveRexBuilder rex() {
        return expressions.rex();
    }

    RexNode analyze(SyntaxNode node) {
        SyntaxNode head = node.child(0);
        Optional<SqlType> castType = TypeSyntax.find(head);
        if (castType.isPresent()) {
            return cast(node, castType.get());
        }
        if (windowOf(node).isPresent()) {
            Windows windows = expressions
                    .windows()
                    .orElseThrow(() -> SemanticErrors.semantic(node, "a window function cannot stand here"));
            return windows.analyze(node, expressions);
        }
        if (head.is(HiveParser.KW_WHEN)) {
            return conditionals.searchedCase(node);
        }
        String name = name(node);
        return isSimpleCase(node, name) ? conditionals.simpleCase(node) : byName(node, name);
    }

    private static boolean isSimpleCase(SyntaxNode node, String name) {
        return name.equals("when")
                && IntStream.range(0, (node.childCount() - 1) / 2)
                        .allMatch(pair -> node.child(1 + 2 * pair).is(HiveParser.EQUAL));
    }

    private RexNode cast(SyntaxNode node, SqlType target) {
        RexNode value = expressions.analyze(node.child(1));
        TypeRules.castRefusal(ExpressionAnalyzer.type(value), target).ifPresent(why -> {
            throw SemanticErrors.typeMismatch(node, why);
        });
        return expressions.rex().cast(value, target);
    }

    private RexNode byName(SyntaxNode node, String name) {
        List<SyntaxNode> arguments = arguments(node);
        Optional<RexNode> constant = SessionFunctions.find(name, arguments.size(), environment.context())
                .map(literal -> expressions.rex().constant(literal.value(), literal.type()));
        if (constant.isPresent()) {
            return constant.get();
        }
        if (name.equals(SessionFunctions.IS_MEMBER)) {
            return isMember(node, arguments);
        }
        Optional<AnalysisContext.Macro> macro = environment.context().macro(name);
        if (macro.isPresent()) {
            return Macros.expand(node, macro.get(), expressions.analyze(arguments), environment);
        }
        SqlOperator test = test(name);
        if (test != null && arguments.size() == 1) {
            return isTest(node, name, arguments.getFirst(), test);
        }
        return switch (name) {
            case "between" -> conditionals.between(node, arguments);
            case "in" -> conditionals.in(node, arguments);
            case "likeany", "likeall" -> conditionals.like(node, name, arguments);
            case "if" -> arguments.size() == 3 ? conditionals.ifElse(node, arguments) : plain(node, name, arguments);
            case "internal_interval" ->
                Intervals.isInterval(arguments)
                        ? Intervals.analyze(node, expressions, this)
                        : plain(node, name, arguments);
            case "not", "!" ->
                arguments.size() == 1
                        ? expressions
                                .rex()
                                .makeCall(SqlStdOperatorTable.NOT, expressions.condition(arguments.getFirst()))
                        : plain(node, name, arguments);
            default -> plain(node, name, arguments);
        };
    }

    private RexNode isMember(SyntaxNode node, List<SyntaxNode> arguments) {
        Optional<Datum> role = arguments.size() == 1
                ? Arguments.describe(expressions.analyze(arguments), environment)
                        .getFirst()
                        .constant()
                : Optional.empty();
        if (!(role.orElse(Datum.NULL) instanceof Datum.OfBytes text)) {
            throw SemanticErrors.error(
                    StandardErrorCode.INVALID_ARGUMENT, node, "is_member takes the name of a role, as a constant");
        }
        LiteralAnalyzer.Literal answer =
                SessionFunctions.isMember(new String(text.value(), StandardCharsets.UTF_8), environment.context());
        return expressions.rex().constant(answer.value(), answer.type());
    }

    private static @Nullable SqlOperator test(String name) {
        return switch (name) {
            case "isnull" -> SqlStdOperatorTable.IS_NULL;
            case "isnotnull" -> SqlStdOperatorTable.IS_NOT_NULL;
            case "istrue" -> SqlStdOperatorTable.IS_TRUE;
            case "isnottrue" -> SqlStdOperatorTable.IS_NOT_TRUE;
            case "isfalse" -> SqlStdOperatorTable.IS_FALSE;
            case "isnotfalse" -> SqlStdOperatorTable.IS_NOT_FALSE;
            default -> null;
        };
    }

    /**
     * Analyzes IS NULL, IS TRUE and similar tests. For a value that is not a boolean, the truth test differs from a
     * cast to boolean. The function itself decides there.
     */
    private RexNode isTest(SyntaxNode node, String name, SyntaxNode argument, SqlOperator test) {
        boolean nullTest = test.getKind() == SqlKind.IS_NULL || test.getKind() == SqlKind.IS_NOT_NULL;
        RexNode value = expressions.analyze(argument);
        return nullTest || ExpressionAnalyzer.type(value) == PrimitiveType.BOOLEAN
                ? expressions.rex().makeCall(test, value)
                : call(node, name, List.of(value));
    }

    private RexNode plain(SyntaxNode node, String name, List<SyntaxNode> arguments) {
        FunctionCatalog.Kind kind = environment.context().functions().kind(name).orElse(FunctionCatalog.Kind.SCALAR);
        switch (kind) {
            case AGGREGATE -> {
                return expressions
                        .outerAggregate(node)
                        .orElseThrow(() -> SemanticErrors.at(node.child(0), ErrorMsg.UDAF_INVALID_LOCATION));
            }
            case WINDOW ->
                throw SemanticErrors.plain(
                        node, ErrorMsg.MISSING_OVER_CLAUSE, ErrorMsg.MISSING_OVER_CLAUSE.getMsg() + " " + name);
            case TABLE ->
                throw SemanticErrors.plain(
                                node, ErrorMsg.UDTF_INVALID_LOCATION, ErrorMsg.UDTF_INVALID_LOCATION.getMsg())
                        .withHint("call " + name + " alone in SELECT, or in a LATERAL VIEW");
            case PARTITIONED ->
                throw ArgumentErrors.notFound(node, name)
                        .withHint("it is a partitioned table function: write it in FROM, as " + name
                                + "(on t partition by k)");
            case SCALAR -> {}
        }
        if (node.is(HiveParser.TOK_FUNCTIONDI)) {
            throw SemanticErrors.semantic(node, "'" + name + "' does not take DISTINCT");
        }
        return call(node, name, expressions.analyze(arguments));
    }

    /**
     * Builds a call of a registry function. The registry determines its types, and the arguments are converted to the
     * parameter types.
     */
    RexNode call(SyntaxNode where, String name, List<RexNode> arguments) {
        ScalarSignature signature = signature(where, name, arguments);
        if (name.equals("positive") && !signature.function().contains("@")) {
            return arguments.getFirst();
        }
        return expressions
                .rex()
                .call(
                        signature.function(),
                        signature.type(),
                        signature.deterministic(),
                        converted(arguments, signature.parameterTypes()));
    }

    ScalarSignature signature(SyntaxNode where, String name, List<RexNode> arguments) {
        try {
            List<Argument> described = ARITHMETIC.contains(name)
                    ? Arguments.describeOperands(arguments, environment)
                    : Arguments.describe(arguments, environment);
            return environment.context().functions().scalar(name, described);
        } catch (SkepException e) {
            throw ArgumentErrors.of(where, name, e);
        } catch (IllegalArgumentException e) {
            throw CompileErrors.at(
                    where,
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.INVALID_ARGUMENT,
                    String.valueOf(e.getMessage()));
        }
    }

    List<RexNode> converted(List<RexNode> arguments, List<SqlType> types) {
        List<RexNode> converted = new ArrayList<>(arguments.size());
        for (int i = 0; i < arguments.size(); i++) {
            RexNode argument = arguments.get(i);
            converted.add(i < types.size() ? expressions.rex().cast(argument, types.get(i)) : argument);
        }
        return converted;
    }
}
