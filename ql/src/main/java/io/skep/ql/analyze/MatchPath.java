package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Datum;
import io.skep.engine.aggregate.MatchPattern;
import io.skep.engine.aggregate.MatchPattern.Repeat;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveAggFunction;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Analyzes matchpath: finds the places in each partition where rows follow a pattern of symbols, and computes a list of
 * expressions for each, over the first row and {@code tpath}, the array of the rows that match.
 *
 * <p>It becomes a window function for {@code tpath}, a filter and a projection. The arguments are the pattern, names
 * and conditions of symbols, and the text of the list.
 */
final class MatchPath {
    private static final String PATH = "tpath";
    private static final String FUNCTION = "matched_rows";
    private static final Set<String> SHIFTS = Set.of("lag", "lead");
    private static final int MIN_ARGUMENTS = 4;
    private static final int MAX_NAME = 20;

    private final Environment environment;
    private final RelFactory factory;
    private final SyntaxNode where;
    private final Scope source;
    private final SyntaxNode window;

    /** @param window TOK_WINDOWSPEC, how the source is partitioned and ordered */
    MatchPath(Environment environment, SyntaxNode where, Scope source, SyntaxNode window) {
        this.environment = environment;
        this.factory = environment.factory();
        this.where = where;
        this.source = source;
        this.window = window;
    }

    /** Returns the columns of the list, without a table's name. */
    Scope analyze(List<SyntaxNode> arguments) {
        ExpressionAnalyzer expressions =
                new ExpressionAnalyzer(environment, source, Optional.of(Windows.of(Optional.empty())));
        Windows.Keys keys = Windows.keys(window, expressions);
        List<RexNode> values =
                expressions.analyze(arguments.stream().map(this::shifting).toList());
        if (values.size() < MIN_ARGUMENTS) {
            throw wrong("at least 4 arguments required");
        }
        List<Argument> described = Arguments.describe(values, environment);
        int last = values.size() - 1;
        String pattern = text(described.getFirst())
                .orElseThrow(() -> wrong("Currently the symbol Pattern must be a Constant String."));
        if (last % 2 == 0) {
            throw wrong("Symbol Name, Expression need to be specified in pairs: there are odd number of symbol args");
        }
        Map<String, Integer> symbols = symbols(arguments, described);
        String list = text(described.getLast())
                .orElseThrow(() -> wrong("Currently the result Expr parameter must be a Constant String."));
        List<RexNode> conditions = new ArrayList<>();
        for (int i = 2; i < last; i += 2) {
            conditions.add(values.get(i));
        }
        SyntaxNode select = select(list);
        return selected(select, matches(parsed(pattern, symbols), conditions, keys, fields(select)));
    }

    /** Lets LAG and LEAD without a window look into the function's partition. */
    private SyntaxNode shifting(SyntaxNode node) {
        List<SyntaxNode> children = new ArrayList<>();
        node.children().forEach(child -> children.add(shifting(child)));
        boolean shifts = node.is(HiveParser.TOK_FUNCTION)
                && SHIFTS.contains(Names.of(node.child(0)))
                && FunctionCalls.windowOf(node).isEmpty();
        if (shifts) {
            children.add(window);
        }
        return node.withChildren(children);
    }

    private static Optional<String> text(Argument argument) {
        return argument.type() == PrimitiveType.STRING
                        && argument.constant().orElse(Datum.NULL) instanceof Datum.OfBytes text
                ? Optional.of(new String(text.value(), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Returns the number of each symbol by its name in lower case. */
    private Map<String, Integer> symbols(List<SyntaxNode> arguments, List<Argument> described) {
        Map<String, Integer> symbols = new HashMap<>();
        for (int i = 1; i + 1 < described.size() - 1; i += 2) {
            SyntaxNode name = arguments.get(i);
            SyntaxNode condition = arguments.get(i + 1);
            String symbol = text(described.get(i))
                    .orElseThrow(() -> wrong("Currently a Symbol Name(" + tree(name) + ") must be a Constant String"));
            if (described.get(i + 1).type() != PrimitiveType.BOOLEAN) {
                throw wrong("Currently a Symbol Expression(" + tree(condition) + ") must be a boolean expression");
            }
            symbols.put(symbol.toLowerCase(Locale.ROOT), (i - 1) / 2);
        }
        return symbols;
    }

    private MatchPattern parsed(String pattern, Map<String, Integer> symbols) {
        List<MatchPattern.Part> parts = new ArrayList<>();
        for (String written : pattern.split("\\.")) {
            Repeat repeat = Repeat.of(written);
            String symbol = repeat.without(written);
            Integer number = symbols.get(symbol.toLowerCase(Locale.ROOT));
            if (number == null) {
                throw SemanticErrors.plain(where, "Unknown Symbol " + symbol);
            }
            parts.add(new MatchPattern.Part(number, repeat));
        }
        if (parts.isEmpty()) {
            throw SemanticErrors.plain(where, "Unknown Symbol ");
        }
        return new MatchPattern(parts);
    }

    private SyntaxNode select(String list) {
        SyntaxNode select = new HiveSqlParser(environment.context().settings()).parseSelect(list);
        for (SyntaxNode item : select.all(HiveParser.TOK_SELEXPR)) {
            if (item.child(0).is(HiveParser.TOK_ALLCOLREF)) {
                throw SemanticErrors.plain(where, "'select *' column not allowed in dynamic select list");
            }
        }
        return select;
    }

    /** Returns the columns of the source that the list reads of {@code tpath}, at least one. */
    private List<Integer> fields(SyntaxNode select) {
        Set<String> names = new HashSet<>();
        boolean all = !addFields(select, names);
        List<Integer> fields = new ArrayList<>();
        for (int i = 0; i < source.columns().size(); i++) {
            ScopeColumn column = source.columns().get(i);
            if (column.visible() && (all || names.remove(column.name()))) {
                fields.add(i);
            }
        }
        return names.isEmpty() && !fields.isEmpty() ? fields : visible();
    }

    private List<Integer> visible() {
        return List.copyOf(source.star());
    }

    /** Adds the fields that an expression names behind {@code tpath}. Returns whether it reads no others. */
    private static boolean addFields(SyntaxNode node, Set<String> names) {
        if (isPath(node)) {
            return false;
        }
        if (node.is(HiveParser.DOT)) {
            SyntaxNode left = node.child(0);
            boolean element = left.is(HiveParser.LSQUARE) && isPath(left.child(0));
            if (element || isPath(left)) {
                names.add(Names.of(node.child(1)));
                return !element || addFields(left.child(1), names);
            }
        }
        boolean only = true;
        for (SyntaxNode child : node.children()) {
            only &= addFields(child, names);
        }
        return only;
    }

    private static boolean isPath(SyntaxNode node) {
        return node.is(HiveParser.TOK_TABLE_OR_COL) && Names.of(node.child(0)).equals(PATH);
    }

    /** Returns the source's columns and {@code tpath}, for the rows at which a match starts. */
    private Scope matches(MatchPattern pattern, List<RexNode> conditions, Windows.Keys keys, List<Integer> fields) {
        HiveRexBuilder rex = factory.rex();
        int count = source.columns().size();
        List<RexNode> columns = new ArrayList<>(factory.columns(source.rel()));
        columns.addAll(conditions);
        Scope with = unnamed(Projections.project(factory, source, columns, names(source.rel())));
        List<RexNode> arguments = new ArrayList<>();
        arguments.add(
                rex.constant(new Datum.OfBytes(pattern.text().getBytes(StandardCharsets.UTF_8)), PrimitiveType.STRING));
        for (int i = count; i < count + conditions.size(); i++) {
            arguments.add(with.reference(i));
        }
        fields.forEach(field -> arguments.add(with.reference(field)));
        ArrayType type = new ArrayType(new StructType(fields.stream()
                .map(field -> new StructType.Field(source.columns().get(field).name(), source.type(field)))
                .toList()));
        List<RexNode> found = new ArrayList<>(factory.columns(with.rel()).subList(0, count));
        found.add(path(type, arguments, keys));
        Scope all = unnamed(Projections.project(factory, with, found, names(source.rel())));
        RexNode matched = rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, all.reference(count));
        List<ScopeColumn> scope = new ArrayList<>(source.columns());
        scope.add(ScopeColumn.of("", PATH));
        return new Scope(factory, Projections.filter(all, matched), scope, source.outer());
    }

    private RexNode path(ArrayType type, List<RexNode> arguments, Windows.Keys keys) {
        RelDataType result = factory.type(type);
        List<SqlType> types = arguments.stream().map(ExpressionAnalyzer::type).toList();
        AggregateSignature signature = new AggregateSignature(FUNCTION, types, PrimitiveType.VOID, type);
        return factory.rex()
                .makeOver(
                        result,
                        new HiveAggFunction(signature, result),
                        arguments,
                        keys.partition(),
                        keys.order(),
                        RexWindowBounds.UNBOUNDED_PRECEDING,
                        RexWindowBounds.UNBOUNDED_FOLLOWING,
                        true,
                        true,
                        false,
                        false,
                        false);
    }

    private static List<String> names(RelNode rel) {
        return rel.getRowType().getFieldNames();
    }

    private Scope unnamed(RelNode rel) {
        return new Scope(
                factory,
                rel,
                names(rel).stream().map(name -> ScopeColumn.of("", name)).toList(),
                source.outer());
    }

    /** Of columns with one name, only the first can be used. */
    private Scope selected(SyntaxNode select, Scope matches) {
        ExpressionAnalyzer expressions = new ExpressionAnalyzer(environment.forOtherText(), matches, Optional.empty());
        List<RexNode> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<ScopeColumn> columns = new ArrayList<>();
        for (SyntaxNode item : select.all(HiveParser.TOK_SELEXPR)) {
            values.add(expressions.analyze(item.child(0)));
            ScopeColumn column = ScopeColumn.of("", name(item));
            columns.add(names.contains(column.name()) ? column.hidden() : column);
            names.add(column.name());
        }
        return new Scope(factory, Projections.project(factory, matches, values, names), columns, source.outer());
    }

    /** Returns the name that Hive gives to an expression of the list. */
    private static String name(SyntaxNode item) {
        SyntaxNode value = item.child(0);
        if (item.childCount() > 1) {
            return Names.of(item.child(1));
        }
        return switch (value.type()) {
            case HiveParser.TOK_TABLE_OR_COL -> Names.of(value.child(0));
            case HiveParser.DOT -> Names.of(value.child(1));
            case HiveParser.TOK_FUNCTION -> flat(value) + "_-1";
            default -> "null-1";
        };
    }

    private static String flat(SyntaxNode call) {
        String words = tree(call)
                .replaceAll("tok_\\S+", "")
                .replaceAll("\\W", " ")
                .strip()
                .replaceAll("\\s+", "_");
        return words.substring(0, Math.min(MAX_NAME, words.length()));
    }

    private static String tree(SyntaxNode node) {
        return node.toString().toLowerCase(Locale.ROOT);
    }

    private SkepException wrong(String why) {
        return SemanticErrors.plain(
                where,
                "MatchPath signature is: SymbolPattern, one or more SymbolName, expression pairs, the result expression"
                        + " as a select list. Error " + why);
    }
}
