package io.skep.ql.analyze;

import io.skep.common.concurrent.InterruptibleText;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes the SELECT list: expands stars and names all columns. */
final class SelectList {
    private static final String MADE_PREFIX = "_c";

    private final Environment environment;
    private final Resolver resolver;
    private final ExpressionAnalyzer expressions;
    private final List<SelectItem> items = new ArrayList<>();
    /** The names of columns for which the query gives none, by the position of the column. */
    private final Map<Integer, String> unnamed = new HashMap<>();

    private final List<Integer> windowCalls = new ArrayList<>();
    private final List<Integer> converted = new ArrayList<>();
    private boolean distinct;
    private int position;

    /** @param resolver resolves names at the place of the list, after the grouping if there is one */
    SelectList(Environment environment, Resolver resolver, Windows windows) {
        this.environment = environment;
        this.resolver = resolver;
        this.expressions = new ExpressionAnalyzer(environment, resolver, Optional.of(windows));
    }

    /** @param select TOK_SELECT or TOK_SELECTDI */
    List<SelectItem> analyze(SyntaxNode select) {
        distinct = select.is(HiveParser.TOK_SELECTDI);
        for (SyntaxNode expression : select.all(HiveParser.TOK_SELEXPR)) {
            add(expression);
            position++;
        }
        nameWindowCalls();
        if (windowCalls.isEmpty() && !select.is(HiveParser.TOK_SELECTDI)) {
            nameConversions();
        }
        return List.copyOf(items);
    }

    private void add(SyntaxNode expression) {
        SyntaxNode value = expression.child(0);
        switch (value.type()) {
            case HiveParser.TOK_ALLCOLREF -> star(value, value.childCount() > 0);
            case HiveParser.TOK_SETCOLREF -> star(value, false);
            default -> {
                if (!regularExpression(expression)) {
                    plain(expression);
                }
            }
        }
    }

    private void plain(SyntaxNode expression) {
        SyntaxNode value = expression.child(0);
        if (expression.childCount() > 2) {
            throw SemanticErrors.semantic(expression, "one expression cannot have several names");
        }
        RexNode rex = expressions.analyze(value);
        if (Aggregates.isCall(value) && FunctionCalls.windowOf(value).isPresent()) {
            windowCalls.add(items.size());
        }
        if (expression.childCount() == 2) {
            environment.named(expression.child(1));
            items.add(new SelectItem(rex, "", Names.of(expression.child(1))));
        } else {
            items.add(withoutAlias(value, rex));
        }
    }

    private SelectItem withoutAlias(SyntaxNode value, RexNode rex) {
        if (value.is(HiveParser.TOK_TABLE_OR_COL)) {
            return new SelectItem(rex, "", Names.of(value.child(0)));
        }
        if (value.is(HiveParser.DOT)) {
            SyntaxNode left = value.child(0);
            return new SelectItem(rex, tableOf(left, rex), Names.of(value.child(1)));
        }
        String made = MADE_PREFIX + position;
        unnamed.put(items.size(), made);
        boolean ofColumn = value.is(HiveParser.TOK_FUNCTION)
                && value.childCount() == 2
                && (value.child(1).is(HiveParser.TOK_TABLE_OR_COL)
                        || value.child(1).is(HiveParser.DOT));
        if (ofColumn) {
            converted.add(items.size());
        }
        return new SelectItem(rex, "", made);
    }

    /**
     * Returns the alias in front of a column's name. Empty if the dot accesses a struct field. A field that is a key of
     * a grouping has the column's name in front, as in Hive.
     */
    private String tableOf(SyntaxNode left, RexNode value) {
        if (left.is(HiveParser.TOK_TABLE_OR_COL)) {
            String table = Names.of(left.child(0));
            boolean key = distinct || resolver instanceof Aggregation && value instanceof RexInputRef;
            return key || resolver.hasTable(table) ? table : "";
        }
        boolean database = left.is(HiveParser.DOT)
                && left.child(0).is(HiveParser.TOK_TABLE_OR_COL)
                && resolver.scope().hasDatabaseTable(Names.of(left.child(0).child(0)), Names.of(left.child(1)));
        return database ? Names.of(left.child(1)) : "";
    }

    /** Expands {@code *} and {@code t.*}. After a grouping each column must be a key. */
    private void star(SyntaxNode node, boolean ofTable) {
        String table = ofTable ? Names.of(node.child(0).children().getLast()) : "";
        List<ScopeColumn> columns = resolver.namedColumns();
        int before = items.size();
        for (int i : resolver.star()) {
            ScopeColumn column = columns.get(i);
            if (!column.name().isEmpty() && (!ofTable || column.table().equals(table))) {
                RexNode value = columnValue(node, i, column);
                items.add(
                        new SelectItem(value, node.is(HiveParser.TOK_SETCOLREF) ? "" : column.table(), column.name()));
            }
        }
        if (!node.is(HiveParser.TOK_SETCOLREF)) {
            environment.edits().add(TextEdit.of(node, columnList(items.subList(before, items.size()))));
        }
        if (items.size() == before) {
            throw ofTable
                    ? SemanticErrors.at(node, ErrorMsg.INVALID_TABLE_ALIAS)
                            .withHint("tables are " + String.join(", ", tables(columns)))
                    : SemanticErrors.semantic(node, "'*' needs a FROM clause");
        }
    }

    private static String columnList(List<SelectItem> columns) {
        return columns.stream()
                .map(column -> column.table().isEmpty()
                        ? TextEdit.quoted(column.name())
                        : TextEdit.quoted(column.table()) + "." + TextEdit.quoted(column.name()))
                .collect(Collectors.joining(", "));
    }

    private static Set<String> tables(List<ScopeColumn> columns) {
        Set<String> tables = new LinkedHashSet<>();
        columns.forEach(column -> tables.add(column.table()));
        return tables;
    }

    private RexNode columnValue(SyntaxNode node, int index, ScopeColumn column) {
        if (resolver instanceof Aggregation aggregation) {
            OptionalInt key = aggregation.column(node, column.table(), column.name());
            return aggregation.scope().reference(key.orElseThrow());
        }
        return resolver.scope().reference(index);
    }

    /**
     * Expands a quoted pattern that selects columns, if hive.support.quoted.identifiers is none. Returns whether the
     * expression was one.
     */
    private boolean regularExpression(SyntaxNode expression) {
        SyntaxNode value = expression.child(0);
        boolean qualified = value.is(HiveParser.DOT) && value.child(0).is(HiveParser.TOK_TABLE_OR_COL);
        String setting = environment.context().settings().get("hive.support.quoted.identifiers");
        if (!"none".equalsIgnoreCase(setting) || !(qualified || value.is(HiveParser.TOK_TABLE_OR_COL))) {
            return false;
        }
        String text =
                Names.plain(qualified ? value.child(1).text() : value.child(0).text());
        String table = qualified ? Names.of(value.child(0).child(0)) : "";
        if (text.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_')) {
            return false;
        }
        Pattern pattern = pattern(value, text);
        List<ScopeColumn> columns = resolver.namedColumns();
        for (int i = 0; i < columns.size(); i++) {
            ScopeColumn column = columns.get(i);
            if (column.visible()
                    && (table.isEmpty() || column.table().equals(table))
                    && pattern.matcher(new InterruptibleText(column.name())).matches()) {
                items.add(new SelectItem(columnValue(value, i, column), column.table(), column.name()));
            }
        }
        return true;
    }

    private static Pattern pattern(SyntaxNode where, String text) {
        try {
            return Pattern.compile(text, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw SemanticErrors.semantic(where, "'" + text + "' is no pattern: " + e.getDescription());
        }
    }

    /**
     * Names conversions of table columns. A conversion gets the column's name unless an earlier column of the list has
     * that name.
     */
    private void nameConversions() {
        for (int index : converted) {
            SelectItem item = items.get(index);
            ColumnOrigin.ofConversion(item.value(), resolver)
                    .filter(name -> items.subList(0, index).stream()
                            .noneMatch(before -> before.name().equals(name)))
                    .ifPresent(name -> items.set(index, new SelectItem(item.value(), "", name)));
        }
    }

    /**
     * Names window calls without an alias as Hive does. Calls of the group (same partition and order) that is computed
     * last are named like {@code rank_window_1}, by their position among the different window calls of the list. The
     * others, and repeated ones, are named like {@code _c1}, by their position in the list; a star counts once.
     */
    private void nameWindowCalls() {
        List<RexOver> calls = WindowNumbers.callsOf(items);
        if (calls.isEmpty()) {
            return;
        }
        Set<String> groups = new LinkedHashSet<>();
        calls.forEach(call -> groups.add(group(call)));
        String last = List.copyOf(groups).getLast();
        Set<RexNode> named = new HashSet<>();
        for (int index : windowCalls) {
            SelectItem item = items.get(index);
            if (unnamed.containsKey(index) && group(item.value()).equals(last) && named.add(item.value())) {
                String function = ((RexOver) item.value()).getOperator().getName();
                int number = calls.indexOf(item.value());
                items.set(index, new SelectItem(item.value(), "", function + "_window_" + number));
            }
        }
    }

    /** Returns the analyzed columns with names like {@code _c1} for all window calls without an alias. */
    List<SelectItem> withoutWindowNames() {
        List<SelectItem> plain = new ArrayList<>(items);
        for (int index : windowCalls) {
            String made = unnamed.get(index);
            if (made != null) {
                plain.set(index, new SelectItem(items.get(index).value(), "", made));
            }
        }
        return List.copyOf(plain);
    }

    private static String group(RexNode value) {
        return value instanceof RexOver over ? over.getWindow().partitionKeys + " " + over.getWindow().orderKeys : "";
    }
}
