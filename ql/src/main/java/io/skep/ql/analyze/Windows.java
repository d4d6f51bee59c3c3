package io.skep.ql.analyze;

import com.google.common.collect.ImmutableList;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.engine.function.FunctionCatalog.Kind;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveAggFunction;
import io.skep.ql.rel.HiveRexBuilder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes the window functions of one query block: its named windows, and calls with OVER. */
final class Windows {
    private static final int MAX_NESTED_NAMES = 100;
    private static final Set<String> NULL_TREATMENT = Set.of("first_value", "last_value");
    /** Hive's words for the functions that look a number of rows behind or ahead. */
    private static final Map<String, String> SHIFTS = Map.of("lag", "Lag", "lead", "Lead");

    private static final Set<String> RANKING = Set.of("rank", "dense_rank", "percent_rank", "cume_dist", "row_number");

    private final Map<String, SyntaxNode> named = new HashMap<>();

    /** @param clause the WINDOW clause */
    static Windows of(Optional<SyntaxNode> clause) {
        Windows windows = new Windows();
        clause.ifPresent(window -> {
            for (SyntaxNode definition : window.children()) {
                if (windows.named.put(Names.of(definition.child(0)), definition.child(1)) != null) {
                    throw CompileErrors.near(
                            definition.child(0),
                            StandardErrorCode.SEMANTIC_ERROR,
                            "Duplicate definition of window "
                                    + definition.child(0).text() + " is not allowed");
                }
            }
        });
        return windows;
    }

    /** PARTITION BY, ORDER BY and frame of a call, with named windows replaced by their definitions. */
    private record Specification(
            Optional<SyntaxNode> partition, Optional<SyntaxNode> order, Optional<SyntaxNode> frame, boolean clustered) {
        Specification or(Specification other) {
            return new Specification(
                    partition.or(other::partition),
                    order.or(other::order),
                    frame.or(other::frame),
                    clustered || partition.isEmpty() && other.clustered());
        }
    }

    RexNode analyze(SyntaxNode call, ExpressionAnalyzer around) {
        ExpressionAnalyzer expressions = around.withoutWindows();
        Specification window =
                specification(call.first(HiveParser.TOK_WINDOWSPEC).orElseThrow(), MAX_NESTED_NAMES);
        String name = FunctionCalls.name(call);
        boolean ignoreNulls = treatsNulls(call, HiveParser.TOK_IGNORE_NULLS);
        List<RexNode> arguments = expressions.analyze(FunctionCalls.arguments(call));
        checkClauses(call, name, arguments);
        boolean navigation = name.equals("first_value") || name.equals("last_value");
        if (navigation && arguments.size() == 2 && arguments.get(1) instanceof RexLiteral flag) {
            ignoreNulls |= Boolean.TRUE.equals(flag.getValueAs(Boolean.class));
            arguments = arguments.subList(0, 1);
        }
        boolean distinct = call.is(HiveParser.TOK_FUNCTIONDI);
        AggregateSignature signature = signature(call, name, arguments, distinct, expressions);
        Keys keys = keys(window, expressions);
        Frames.Frame frame = Frames.of(call, name, window.frame(), !keys.order().isEmpty(), expressions);
        HiveRexBuilder rex = expressions.rex();
        RelDataType type = expressions.factory().type(signature.type());
        return rex.makeOver(
                type,
                new HiveAggFunction(signature, type),
                converted(arguments, signature, rex),
                keys.partition(),
                keys.order(),
                frame.lower(),
                frame.upper(),
                frame.rows(),
                true,
                false,
                distinct,
                ignoreNulls);
    }

    /** The values by which the rows of a window are divided and ordered. */
    record Keys(List<RexNode> partition, ImmutableList<RexFieldCollation> order) {
        Keys {
            partition = List.copyOf(partition);
        }
    }

    /** @param spec TOK_WINDOWSPEC */
    static Keys keys(SyntaxNode spec, ExpressionAnalyzer expressions) {
        return keys(of(Optional.empty()).specification(spec, MAX_NESTED_NAMES), expressions);
    }

    private static Keys keys(Specification window, ExpressionAnalyzer expressions) {
        window.partition().ifPresent(Windows::refuseSubquery);
        window.order().ifPresent(Windows::refuseSubquery);
        return new Keys(expressions.analyze(partitionKeys(window)), order(window, expressions));
    }

    private static void refuseSubquery(SyntaxNode keys) {
        if (!keys.descendants(HiveParser.TOK_SUBQUERY_EXPR).isEmpty()) {
            throw CompileErrors.at(
                            keys,
                            StandardErrorCode.NOT_SUPPORTED,
                            ErrorMsg.UNSUPPORTED_SUBQUERY_EXPRESSION,
                            "Invalid subquery. Subquery in UDAF is not allowed.")
                    .withHint("compute the value in a subquery of FROM");
        }
    }

    /** Whether a call has IGNORE NULLS or RESPECT NULLS. The grammar puts them into the window. */
    private static boolean treatsNulls(SyntaxNode call, int clause) {
        return FunctionCalls.windowOf(call).filter(window -> window.has(clause)).isPresent();
    }

    private static void checkClauses(SyntaxNode call, String name, List<RexNode> arguments) {
        boolean treated =
                treatsNulls(call, HiveParser.TOK_IGNORE_NULLS) || treatsNulls(call, HiveParser.TOK_RESPECT_NULLS);
        if (treated && !NULL_TREATMENT.contains(name)) {
            ErrorMsg error = ErrorMsg.NULL_TREATMENT_NOT_SUPPORTED;
            throw SemanticErrors.plain(call, error, error.format(name));
        }
        if (SHIFTS.containsKey(name) && arguments.size() > 1) {
            checkAmount(call, SHIFTS.get(name), arguments.get(1));
        }
        if (RANKING.contains(name) && !arguments.isEmpty()) {
            throw SemanticErrors.plain(call, "Ranking Functions can take no arguments");
        }
    }

    private static void checkAmount(SyntaxNode call, String function, RexNode amount) {
        boolean negative = amount instanceof RexLiteral literal
                && literal.getValue() instanceof BigDecimal number
                && number.signum() < 0;
        if (negative) {
            throw SemanticErrors.plain(call, function + " amount can not be negative. Specified: " + amount);
        }
    }

    private static List<RexNode> converted(List<RexNode> arguments, AggregateSignature signature, HiveRexBuilder rex) {
        List<RexNode> converted = new ArrayList<>(arguments.size());
        for (int i = 0; i < arguments.size(); i++) {
            converted.add(rex.cast(arguments.get(i), signature.parameterTypes().get(i)));
        }
        return converted;
    }

    private static AggregateSignature signature(
            SyntaxNode call, String name, List<RexNode> arguments, boolean distinct, ExpressionAnalyzer expressions) {
        try {
            boolean star = call.is(HiveParser.TOK_FUNCTIONSTAR) && name.equals("count");
            Optional<Kind> kind = expressions.catalog().kind(name);
            if (star || kind.equals(Optional.of(Kind.AGGREGATE)) && arguments.isEmpty()) {
                return expressions.catalog().aggregate(name, List.of(), distinct, star);
            }
            return expressions
                    .catalog()
                    .window(name, Arguments.describe(arguments, expressions.environment()), distinct);
        } catch (SkepException e) {
            throw ArgumentErrors.ofClass(call, e);
        }
    }

    private static List<SyntaxNode> partitionKeys(Specification window) {
        return window.partition().map(SyntaxNode::children).orElse(List.of());
    }

    private static ImmutableList<RexFieldCollation> order(Specification window, ExpressionAnalyzer expressions) {
        ImmutableList.Builder<RexFieldCollation> keys = ImmutableList.builder();
        if (window.clustered()) {
            partitionKeys(window)
                    .forEach(key -> keys.add(new OrderKey(key, true, false).collation(expressions.analyze(key))));
        }
        window.order().ifPresent(order -> {
            for (OrderKey key : OrderKey.of(order)) {
                RexNode value = expressions.analyze(key.expression());
                if (!(value instanceof RexLiteral)) {
                    keys.add(key.collation(value));
                }
            }
        });
        return keys.build();
    }

    private Specification specification(SyntaxNode spec, int depth) {
        if (depth == 0) {
            throw SemanticErrors.plain(spec, "Cycle in Window references");
        }
        Optional<SyntaxNode> partitioning = spec.first(HiveParser.TOK_PARTITIONINGSPEC);
        Optional<SyntaxNode> cluster = partitioning.flatMap(node -> node.first(HiveParser.TOK_CLUSTERBY));
        Specification own = new Specification(
                partitioning
                        .flatMap(node -> node.first(HiveParser.TOK_DISTRIBUTEBY))
                        .or(() -> cluster),
                partitioning.flatMap(
                        node -> node.first(HiveParser.TOK_ORDERBY).or(() -> node.first(HiveParser.TOK_SORTBY))),
                spec.first(HiveParser.TOK_WINDOWRANGE).or(() -> spec.first(HiveParser.TOK_WINDOWVALUES)),
                cluster.isPresent());
        Optional<SyntaxNode> name = spec.first(HiveParser.Identifier);
        return name.isEmpty() ? own : own.or(byName(name.get(), depth));
    }

    private Specification byName(SyntaxNode name, int depth) {
        SyntaxNode definition = named.get(Names.of(name));
        if (definition == null) {
            throw SemanticErrors.plain(name, "Window Spec=[Name='" + name.text() + "'] refers to an unknown source");
        }
        return specification(definition, depth - 1);
    }

    static SkepException badFrame(SyntaxNode where, String why) {
        return SemanticErrors.error(StandardErrorCode.SEMANTIC_ERROR, where, "the window's frame is invalid: " + why);
    }

    static RexNode offset(long rows, HiveRexBuilder rex) {
        return rex.constant(new Datum.OfLong(rows), PrimitiveType.BIGINT);
    }
}
