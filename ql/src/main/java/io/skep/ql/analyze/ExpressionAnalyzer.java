package io.skep.ql.analyze;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveOperators;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Converts expressions into typed Rex nodes over the relation of a {@link Resolver}. Each place of a query has its own
 * instance.
 */
final class ExpressionAnalyzer {
    private final Environment environment;
    private final Resolver resolver;
    private final Optional<Windows> windows;
    private final LiteralAnalyzer literals;
    private final Comparisons comparisons;
    private final FunctionCalls functions;
    private final SubqueryExpressions subqueries;
    private final boolean joining;

    /** @param windows the query's named windows, present where window functions are allowed */
    ExpressionAnalyzer(Environment environment, Resolver resolver, Optional<Windows> windows) {
        this(environment, resolver, windows, false);
    }

    /**
     * Returns an analyzer for the condition of a join. Its keys may have types that strict type checks reject in other
     * comparisons.
     */
    static ExpressionAnalyzer ofJoin(Environment environment, Resolver resolver) {
        return new ExpressionAnalyzer(environment, resolver, Optional.empty(), true);
    }

    private ExpressionAnalyzer(Environment environment, Resolver resolver, Optional<Windows> windows, boolean joining) {
        this.joining = joining;
        this.environment = environment;
        this.resolver = resolver;
        this.windows = windows;
        this.literals = new LiteralAnalyzer(environment.context());
        this.comparisons = new Comparisons(environment.factory().rex(), environment.context());
        this.functions = new FunctionCalls(environment, this);
        this.subqueries = new SubqueryExpressions(environment, this);
    }

    RelFactory factory() {
        return environment.factory();
    }

    HiveRexBuilder rex() {
        return environment.factory().rex();
    }

    Resolver resolver() {
        return resolver;
    }

    Comparisons comparisons() {
        return comparisons;
    }

    LiteralAnalyzer literals() {
        return literals;
    }

    Optional<Windows> windows() {
        return windows;
    }

    static SqlType type(RexNode node) {
        return TypeMapping.toSql(node.getType());
    }

    /**
     * Returns an analyzer for the same place that rejects window functions. It analyzes the arguments of aggregates and
     * windows.
     */
    ExpressionAnalyzer withoutWindows() {
        return windows.isEmpty() ? this : new ExpressionAnalyzer(environment, resolver, Optional.empty());
    }

    RexNode analyze(SyntaxNode node) {
        Interruption.check();
        Optional<RexNode> replacement = resolver.replacement(node, this);
        return replacement.orElseGet(() -> analyzeParts(node));
    }

    /** Analyzes a condition. Hive accepts any primitive value as a condition. */
    RexNode condition(SyntaxNode node) {
        return condition(node, analyze(node));
    }

    RexNode condition(SyntaxNode node, RexNode value) {
        TypeRules.castRefusal(type(value), PrimitiveType.BOOLEAN).ifPresent(why -> {
            throw SemanticErrors.typeMismatch(node, "a condition is needed here, not a value of type " + type(value));
        });
        return rex().cast(value, PrimitiveType.BOOLEAN);
    }

    /** Analyzes arguments. A star among them stands for all columns, or for all columns of a table. */
    List<RexNode> analyze(List<SyntaxNode> nodes) {
        List<RexNode> values = new ArrayList<>(nodes.size());
        for (SyntaxNode node : nodes) {
            boolean star = node.is(HiveParser.TOK_FUNCTIONSTAR) && node.childCount() == 0;
            if (star || node.is(HiveParser.TOK_ALLCOLREF)) {
                addColumns(node, values);
            } else {
                values.add(analyze(node));
            }
        }
        return values;
    }

    private void addColumns(SyntaxNode star, List<RexNode> values) {
        String table = star.childCount() > 0 ? Names.of(star.child(0).children().getLast()) : "";
        for (int i : resolver.star()) {
            ScopeColumn column = resolver.namedColumns().get(i);
            if (table.isEmpty() || column.table().equals(table)) {
                boolean grouped = resolver instanceof Aggregation;
                values.add(
                        grouped
                                ? column(star, column.table(), column.name())
                                : resolver.scope().reference(i));
            }
        }
    }

    private RexNode analyzeParts(SyntaxNode node) {
        if (LiteralAnalyzer.isLiteral(node.type())) {
            LiteralAnalyzer.Literal literal = literals.analyze(node);
            return rex().constant(literal.value(), literal.type());
        }
        return switch (node.type()) {
            case SyntaxNode.PARAMETER, SyntaxNode.LIST_PARAMETER -> open(node);
            case HiveParser.TOK_TABLE_OR_COL ->
                node.child(0).is(HiveParser.TOK_DEFAULT_VALUE)
                        ? rex().constant(Datum.NULL, PrimitiveType.VOID)
                        : column(node, "", Names.of(node.child(0)));
            case HiveParser.DOT -> dot(node);
            case HiveParser.LSQUARE -> element(node);
            case HiveParser.TOK_FUNCTION, HiveParser.TOK_FUNCTIONDI, HiveParser.TOK_FUNCTIONSTAR ->
                functions.analyze(node);
            case HiveParser.TOK_SUBQUERY_EXPR -> subqueries.analyze(node);
            case HiveParser.KW_AND -> logical(node, SqlStdOperatorTable.AND);
            case HiveParser.KW_OR -> logical(node, SqlStdOperatorTable.OR);
            case HiveParser.KW_NOT -> negation(node);
            case HiveParser.EQUAL -> comparison(node, SqlStdOperatorTable.EQUALS);
            case HiveParser.EQUAL_NS -> comparison(node, SqlStdOperatorTable.IS_NOT_DISTINCT_FROM);
            case HiveParser.NOTEQUAL -> comparison(node, SqlStdOperatorTable.NOT_EQUALS);
            case HiveParser.LESSTHAN -> comparison(node, SqlStdOperatorTable.LESS_THAN);
            case HiveParser.LESSTHANOREQUALTO -> comparison(node, SqlStdOperatorTable.LESS_THAN_OR_EQUAL);
            case HiveParser.GREATERTHAN -> comparison(node, SqlStdOperatorTable.GREATER_THAN);
            case HiveParser.GREATERTHANOREQUALTO -> comparison(node, SqlStdOperatorTable.GREATER_THAN_OR_EQUAL);
            case HiveParser.PLUS, HiveParser.MINUS -> sign(node);
            case HiveParser.STAR,
                    HiveParser.DIVIDE,
                    HiveParser.MOD,
                    HiveParser.DIV,
                    HiveParser.AMPERSAND,
                    HiveParser.BITWISEOR,
                    HiveParser.BITWISEXOR,
                    HiveParser.TILDE,
                    HiveParser.KW_LIKE,
                    HiveParser.KW_RLIKE,
                    HiveParser.KW_REGEXP ->
                functions.call(node, node.text().toLowerCase(Locale.ROOT), analyze(node.children()));
            case HiveParser.TOK_PARAMETER -> throw SemanticErrors.notSupported(node, "a parameter marker");
            case HiveParser.TOK_ALLCOLREF -> throw SemanticErrors.semantic(node, "'*' cannot stand in an expression");
            default -> throw SemanticErrors.notSupported(node, "'" + node.text() + "' in an expression");
        };
    }

    /**
     * Analyzes a parameter node. Its constants become a plan parameter if the comparison that they are in allows it.
     */
    private RexNode open(SyntaxNode node) {
        List<RexLiteral> values = new ArrayList<>();
        for (SyntaxNode child : node.children()) {
            values.add((RexLiteral) analyze(child));
        }
        return rex().parameter(Integer.parseInt(node.text()), values, false);
    }

    /** Builds AND or OR. Calcite requires chains of the same operator to be flat. */
    private RexNode logical(SyntaxNode node, SqlOperator operator) {
        List<RexNode> operands = new ArrayList<>();
        addOperands(node, operator, operands);
        return rex().makeCall(operator, operands);
    }

    /**
     * Collects the operands of a chain. Nested nodes of the same operator are flattened during the walk. Building each
     * of them first would take quadratic time in the length of the chain.
     */
    private void addOperands(SyntaxNode node, SqlOperator operator, List<RexNode> operands) {
        Deque<SyntaxNode> left = new ArrayDeque<>(List.of(node));
        while (!left.isEmpty()) {
            SyntaxNode next = left.pop();
            if (next.is(node.type()) && resolver.replacement(next, this).isEmpty()) {
                next.children().reversed().forEach(left::push);
                continue;
            }
            RexNode operand = condition(next);
            if (operand instanceof RexCall call && call.isA(operator.getKind())) {
                operands.addAll(call.getOperands());
            } else {
                operands.add(operand);
            }
        }
    }

    private RexNode negation(SyntaxNode node) {
        return rex().makeCall(SqlStdOperatorTable.NOT, condition(node.child(0)));
    }

    private RexNode comparison(SyntaxNode node, SqlOperator operator) {
        RexNode left = analyze(node.child(0));
        RexNode right = analyze(node.child(1));
        boolean key = joining && operator.getKind() == SqlKind.EQUALS;
        if (!key
                && TypeRules.comparesUnsafely(type(left), type(right))
                && StrictChecks.of(environment.context().settings())
                        .unsafeComparison()
                        .isPresent()) {
            throw SemanticErrors.typeMismatch(
                            node,
                            "comparing values of types " + type(left) + " and " + type(right) + " as numbers is unsafe")
                    .withHint("cast one side, or set hive.strict.checks.type.safety=false");
        }
        return comparisons.compare(node, operator, left, right);
    }

    /** Analyzes plus and minus with one or two operands. A minus in front of a number is part of the number. */
    private RexNode sign(SyntaxNode node) {
        boolean minus = node.type() == HiveParser.MINUS;
        if (node.childCount() == 2) {
            return functions.call(node, minus ? "-" : "+", analyze(node.children()));
        }
        SyntaxNode operand = node.child(0);
        if (minus && isNumber(operand)) {
            LiteralAnalyzer.Literal literal = literals.number(operand, "-");
            return rex().constant(literal.value(), literal.type());
        }
        return functions.call(node, minus ? "negative" : "positive", analyze(node.children()));
    }

    private static boolean isNumber(SyntaxNode node) {
        return switch (node.type()) {
            case HiveParser.Number, HiveParser.IntegralLiteral, HiveParser.NumberLiteral -> true;
            default -> false;
        };
    }

    /** Resolves a column by name: first here, then among the aliases, then in the enclosing queries. */
    RexNode column(SyntaxNode where, String table, String name) {
        OptionalInt own = resolver.column(where, table, name);
        if (own.isPresent()) {
            environment.resolved(where, table, name, resolver);
            return resolver.scope().reference(own.getAsInt());
        }
        Optional<RexNode> alias = table.isEmpty() ? resolver.alias(name) : Optional.empty();
        if (alias.isPresent()) {
            return alias.get();
        }
        for (Optional<Resolver> outer = resolver.outer();
                outer.isPresent();
                outer = outer.get().outer()) {
            OptionalInt index = outer.get().column(where, table, name);
            if (index.isPresent()) {
                if (outer.get() instanceof Scope) {
                    environment.resolved(where, table, name, outer.get());
                }
                return outer.get().scope().correlated(index.getAsInt());
            }
        }
        throw table.isEmpty()
                ? SemanticErrors.columnNotFound(where, name, resolver.names())
                : SemanticErrors.columnOfTableNotFound(where.children().getLast(), name, columnsOf(table));
    }

    /** Finds an aggregate of an enclosing query. Subqueries in HAVING may use one. */
    Optional<RexNode> outerAggregate(SyntaxNode call) {
        for (Optional<Resolver> outer = resolver.outer();
                outer.isPresent();
                outer = outer.get().outer()) {
            OptionalInt field = outer.get().aggregate(call);
            if (field.isPresent()) {
                return Optional.of(outer.get().scope().correlated(field.getAsInt()));
            }
        }
        return Optional.empty();
    }

    private List<String> columnsOf(String table) {
        return resolver.namedColumns().stream()
                .filter(column -> column.visible() && column.table().equals(table))
                .map(ScopeColumn::name)
                .toList();
    }

    private boolean seesTable(String alias) {
        boolean sees = resolver.hasTable(alias);
        for (Optional<Resolver> outer = resolver.outer();
                !sees && outer.isPresent();
                outer = outer.get().outer()) {
            sees = outer.get().hasTable(alias);
        }
        return sees;
    }

    /** Analyzes {@code t.c}, {@code db.t.c}, or a field of a struct. */
    private RexNode dot(SyntaxNode node) {
        SyntaxNode left = node.child(0);
        String name = Names.of(node.child(1));
        if (left.is(HiveParser.TOK_TABLE_OR_COL) && seesTable(Names.of(left.child(0)))) {
            return column(node, Names.of(left.child(0)), name);
        }
        if (left.is(HiveParser.DOT) && left.child(0).is(HiveParser.TOK_TABLE_OR_COL)) {
            String database = Names.of(left.child(0).child(0));
            String table = Names.of(left.child(1));
            if (!seesTable(database) && resolver.scope().hasDatabaseTable(database, table)) {
                return column(node, table, name);
            }
        }
        return field(node, analyze(left), name);
    }

    private RexNode field(SyntaxNode node, RexNode value, String name) {
        SqlType type = type(value);
        SqlType inner = type instanceof ArrayType array ? array.element() : type;
        if (!(inner instanceof StructType struct)) {
            throw CompileErrors.at(node, StandardErrorCode.TYPE_MISMATCH, ErrorMsg.INVALID_DOT)
                    .withHint("the value is of type " + type.displayName());
        }
        for (StructType.Field field : struct.fields()) {
            if (field.name().equalsIgnoreCase(name)) {
                SqlType result = type instanceof ArrayType ? new ArrayType(field.type()) : field.type();
                return rex().field(value, field.name(), result);
            }
        }
        List<String> fields =
                struct.fields().stream().map(StructType.Field::name).toList();
        throw SemanticErrors.fieldNotFound(node, Names.plain(node.child(1).text()), fields);
    }

    /** Analyzes {@code array[i]} or {@code map[key]}. */
    private RexNode element(SyntaxNode node) {
        RexNode container = analyze(node.child(0));
        RexNode index = analyze(node.child(1));
        SqlType indexType = type(index);
        return switch (type(container)) {
            case ArrayType array -> {
                if (!TypeRules.implicitlyConvertible(indexType, PrimitiveType.INT)) {
                    throw CompileErrors.near(
                            node, StandardErrorCode.TYPE_MISMATCH, ErrorMsg.INVALID_ARRAYINDEX_TYPE.getMsg());
                }
                yield call(array.element(), container, rex().cast(index, PrimitiveType.INT));
            }
            case MapType map -> {
                if (!TypeRules.implicitlyConvertible(indexType, map.key())) {
                    throw CompileErrors.at(node, StandardErrorCode.TYPE_MISMATCH, ErrorMsg.INVALID_MAPINDEX_TYPE)
                            .withHint("keys are of type " + map.key() + ", not " + indexType);
                }
                yield call(map.value(), container, rex().cast(index, map.key()));
            }
            default ->
                throw CompileErrors.at(
                        node,
                        StandardErrorCode.TYPE_MISMATCH,
                        ErrorMsg.NON_COLLECTION_TYPE,
                        type(container).displayName());
        };
    }

    private RexNode call(SqlType type, RexNode container, RexNode index) {
        return rex().call(HiveOperators.INDEX, type, true, List.of(container, index));
    }

    Environment environment() {
        return environment;
    }

    FunctionCatalog catalog() {
        return environment.context().functions();
    }
}
