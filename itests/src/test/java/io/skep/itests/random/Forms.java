package io.skep.itests.random;

import io.skep.itests.random.Form.Slot;
import io.skep.itests.random.Form.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The forms from which random expressions are built. Numbers stay exact, so that no result depends on the order in
 * which rows are added. Doubles are multiples of a quarter, and are only added and multiplied by small integers.
 */
final class Forms {
    static final Form AND = same(Kind.BOOLEAN, "(%s AND %s)", any(Kind.BOOLEAN), any(Kind.BOOLEAN));
    static final Form OR = same(Kind.BOOLEAN, "(%s OR %s)", any(Kind.BOOLEAN), any(Kind.BOOLEAN));
    static final Form NOT = same(Kind.BOOLEAN, "(NOT %s)", any(Kind.BOOLEAN));
    static final Form IS_NULL = same(Kind.BOOLEAN, "(%s IS NULL)", any(Kind.BOOLEAN));
    static final Form COUNT_ROWS = same(Kind.INTEGER, "count(*)");
    static final Form GROUPING = same(Kind.INTEGER, "grouping(%s)", any(Kind.INTEGER));
    static final Form COUNT_TRUE =
            same(Kind.INTEGER, "coalesce(sum(CASE WHEN %s THEN 1 ELSE 0 END), 0)", any(Kind.BOOLEAN));

    static Form equal(Kind kind) {
        return same(Kind.BOOLEAN, "(%s = %s)", any(kind), any(kind));
    }

    static Form less(Kind kind) {
        return same(Kind.BOOLEAN, "(%s < %s)", any(kind), any(kind));
    }

    private final Map<Kind, List<Form>> scalars = new EnumMap<>(Kind.class);
    private final Map<Kind, List<Form>> aggregates = new EnumMap<>(Kind.class);
    private final Map<Kind, List<Form>> windows = new EnumMap<>(Kind.class);

    private final Map<Kind, List<Form>> ranges = new EnumMap<>(Kind.class);
    private final boolean portable;

    /** @param portable whether to include only the forms that both dialects support */
    Forms(boolean portable) {
        this.portable = portable;
        for (Kind kind : Kind.values()) {
            scalars.put(kind, new ArrayList<>());
            aggregates.put(kind, new ArrayList<>());
            windows.put(kind, new ArrayList<>());
            ranges.put(kind, new ArrayList<>());
            addForAll(kind);
        }
        addBooleans();
        addNumbers();
        addTexts();
        addDates();
        addAggregates();
        addWindows();
    }

    /**
     * Returns the form that merges an aggregate's partial results into the result over all rows, or empty if there is
     * none.
     */
    static Optional<Form> merge(Form aggregate) {
        String text = aggregate.hive();
        if (text.equals("count(*)") || text.equals("count(%s)")) {
            return Optional.of(same(Kind.INTEGER, "sum(%s)", any(Kind.INTEGER)));
        }
        return List.of("sum(%s)", "min(%s)", "max(%s)").contains(text) ? Optional.of(aggregate) : Optional.empty();
    }

    /** Returns the forms over values of one row. */
    List<Form> scalars(Kind result) {
        return scalars.getOrDefault(result, List.of());
    }

    /** Returns the forms over values of a group. */
    List<Form> aggregates(Kind result) {
        return aggregates.getOrDefault(result, List.of());
    }

    /** Returns the forms over ordered windows, which include aggregates. */
    List<Form> windows(Kind result) {
        return windows.getOrDefault(result, List.of());
    }

    /** Returns the forms over windows whose value is the same for rows that are peers in the order. */
    List<Form> ranges(Kind result) {
        return ranges.getOrDefault(result, List.of());
    }

    private void addForAll(Kind kind) {
        add(scalars, same(kind, "CASE WHEN %s THEN %s ELSE %s END", any(Kind.BOOLEAN), any(kind), any(kind)));
        add(scalars, same(kind, "CASE WHEN %s THEN %s END", any(Kind.BOOLEAN), any(kind)));
        add(scalars, same(kind, "coalesce(%s, %s)", any(kind), any(kind)));
        add(
                scalars,
                both(
                        kind,
                        "if(%s, %s, %s)",
                        "CASE WHEN %s THEN %s ELSE %s END",
                        any(Kind.BOOLEAN),
                        any(kind),
                        any(kind)));
        add(scalars, same(Kind.BOOLEAN, "(%s IS NULL)", any(kind)));
        add(scalars, same(Kind.BOOLEAN, "(%s IS NOT NULL)", any(kind)));
        add(scalars, both(Kind.BOOLEAN, "(%s <=> %s)", "(%s IS NOT DISTINCT FROM %s)", any(kind), any(kind)));
        add(scalars, same(Kind.BOOLEAN, "(%s = %s)", any(kind), any(kind)));
        add(scalars, same(Kind.BOOLEAN, "(%s <> %s)", any(kind), any(kind)));
    }

    private void addBooleans() {
        for (Kind kind : Kind.values()) {
            if (kind != Kind.BOOLEAN) {
                for (String operator : List.of("<", "<=", ">", ">=")) {
                    add(scalars, same(Kind.BOOLEAN, "(%s " + operator + " %s)", any(kind), any(kind)));
                    add(scalars, same(Kind.BOOLEAN, "(%s " + operator + " %s)", any(kind), literal(kind)));
                }
                add(scalars, same(Kind.BOOLEAN, "(%s = %s)", any(kind), literal(kind)));
                add(scalars, same(Kind.BOOLEAN, "(%s BETWEEN %s AND %s)", any(kind), literal(kind), literal(kind)));
                add(scalars, same(Kind.BOOLEAN, "(%s BETWEEN %s AND %s)", any(kind), any(kind), literal(kind)));
                add(scalars, same(Kind.BOOLEAN, "(%s NOT BETWEEN %s AND %s)", any(kind), literal(kind), literal(kind)));
                Slot[] list = {any(kind), literal(kind), literal(kind), literal(kind)};
                add(scalars, same(Kind.BOOLEAN, "(%s IN (%s, %s, %s))", list));
                add(scalars, same(Kind.BOOLEAN, "(%s NOT IN (%s, %s, %s))", list));
                add(scalars, same(Kind.BOOLEAN, "(%s IN (%s, NULL, %s))", any(kind), literal(kind), literal(kind)));
            }
        }
        for (int i = 0; i < 8; i++) {
            add(scalars, AND);
            add(scalars, OR);
            add(scalars, NOT);
        }
        for (String test : List.of("IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE")) {
            add(scalars, same(Kind.BOOLEAN, "(%s " + test + ")", any(Kind.BOOLEAN)));
        }
        for (Kind left : List.of(Kind.INTEGER, Kind.DECIMAL, Kind.DOUBLE)) {
            for (Kind right : List.of(Kind.INTEGER, Kind.DECIMAL, Kind.DOUBLE)) {
                add(scalars, same(Kind.BOOLEAN, "(%s < %s)", any(left), any(right)));
                add(scalars, same(Kind.BOOLEAN, "(%s = %s)", any(left), any(right)));
            }
        }
        add(scalars, same(Kind.BOOLEAN, "(%s >= %s)", any(Kind.TIMESTAMP), any(Kind.DATE)));
    }

    private void addNumbers() {
        for (Kind kind : List.of(Kind.INTEGER, Kind.DECIMAL, Kind.DOUBLE)) {
            add(scalars, same(kind, "(%s + %s)", any(kind), any(kind)));
            add(scalars, same(kind, "(%s - %s)", any(kind), any(kind)));
            add(scalars, same(kind, "abs(%s)", any(kind)));
        }
        add(scalars, same(Kind.INTEGER, "(- %s)", any(Kind.INTEGER)));
        add(scalars, same(Kind.INTEGER, "(%s * %s)", any(Kind.INTEGER), any(Kind.INTEGER)));
        add(scalars, same(Kind.INTEGER, "(%s %% %s)", any(Kind.INTEGER), any(Kind.INTEGER)));
        add(scalars, both(Kind.INTEGER, "(%s div %s)", "(%s // %s)", any(Kind.INTEGER), small(Kind.INTEGER)));
        add(scalars, hive(Kind.INTEGER, "pmod(%s, %s)", any(Kind.INTEGER), small(Kind.INTEGER)));
        add(scalars, hive(Kind.INTEGER, "greatest(%s, %s)", any(Kind.INTEGER), any(Kind.INTEGER)));
        add(scalars, hive(Kind.INTEGER, "CAST(%s AS INT)", any(Kind.TEXT)));
        add(scalars, hive(Kind.INTEGER, "CAST(%s AS BIGINT)", any(Kind.DECIMAL)));
        add(scalars, same(Kind.INTEGER, "CAST(floor(%s) AS BIGINT)", any(Kind.DOUBLE)));
        add(scalars, same(Kind.DECIMAL, "(- %s)", any(Kind.DECIMAL)));
        add(scalars, same(Kind.DECIMAL, "CAST(%s * %s AS DECIMAL(24,4))", any(Kind.DECIMAL), any(Kind.DECIMAL)));
        add(scalars, same(Kind.DECIMAL, "CAST(%s AS DECIMAL(20,2))", any(Kind.INTEGER)));
        add(scalars, same(Kind.DECIMAL, "CAST(%s AS DECIMAL(20,1))", any(Kind.DECIMAL)));
        add(scalars, same(Kind.DECIMAL, "round(%s, 1)", any(Kind.DECIMAL)));
        add(scalars, hive(Kind.DECIMAL, "(%s %% %s)", any(Kind.DECIMAL), any(Kind.DECIMAL)));
        add(scalars, hive(Kind.DECIMAL, "CAST(%s AS DECIMAL(12,2))", any(Kind.TEXT)));
        add(scalars, same(Kind.DOUBLE, "(%s * %s)", any(Kind.DOUBLE), small(Kind.INTEGER)));
        add(scalars, same(Kind.DOUBLE, "round(%s)", any(Kind.DOUBLE)));
        add(scalars, hive(Kind.DOUBLE, "CAST(floor(%s) AS DOUBLE)", any(Kind.DECIMAL)));
    }

    private void addTexts() {
        for (String pattern : List.of("LIKE", "NOT LIKE")) {
            add(scalars, same(Kind.BOOLEAN, "(%s " + pattern + " %s)", any(Kind.TEXT), pattern()));
            add(scalars, same(Kind.BOOLEAN, "(%s " + pattern + " %s)", any(Kind.TEXT), pattern()));
        }
        for (String function : List.of("upper", "lower", "trim", "ltrim", "rtrim", "reverse")) {
            add(scalars, same(Kind.TEXT, function + "(%s)", any(Kind.TEXT)));
        }
        add(scalars, same(Kind.TEXT, "(%s || %s)", any(Kind.TEXT), any(Kind.TEXT)));
        add(scalars, same(Kind.TEXT, "substr(%s, %s)", any(Kind.TEXT), small(Kind.INTEGER)));
        add(scalars, hive(Kind.TEXT, "substr(%s, -%s)", any(Kind.TEXT), small(Kind.INTEGER)));
        Slot[] range = {any(Kind.TEXT), small(Kind.INTEGER), small(Kind.INTEGER)};
        add(scalars, same(Kind.TEXT, "substr(%s, %s, %s)", range));
        add(scalars, same(Kind.TEXT, "replace(%s, 'a', 'xy')", any(Kind.TEXT)));
        add(scalars, same(Kind.TEXT, "lpad(%s, %s, '*')", any(Kind.TEXT), small(Kind.INTEGER)));
        add(scalars, same(Kind.TEXT, "rpad(%s, %s, '*-')", any(Kind.TEXT), small(Kind.INTEGER)));
        add(scalars, same(Kind.TEXT, "translate(%s, 'abc', 'cab')", any(Kind.TEXT)));
        String all = "regexp_replace(%s, '[a-c]+', '.'";
        add(scalars, both(Kind.TEXT, all + ")", all + ", 'g')", any(Kind.TEXT)));
        add(scalars, hive(Kind.TEXT, "initcap(%s)", any(Kind.TEXT)));
        add(scalars, hive(Kind.TEXT, "concat_ws('-', %s, %s)", any(Kind.TEXT), any(Kind.TEXT)));
        add(scalars, same(Kind.TEXT, "CAST(%s AS STRING)", any(Kind.INTEGER)));
        add(scalars, same(Kind.TEXT, "CAST(%s AS STRING)", any(Kind.DATE)));
        add(scalars, hive(Kind.TEXT, "CAST(%s AS STRING)", any(Kind.DECIMAL)));
        add(scalars, hive(Kind.TEXT, "CAST(%s AS STRING)", any(Kind.TIMESTAMP)));
        add(scalars, same(Kind.INTEGER, "length(%s)", any(Kind.TEXT)));
        add(scalars, same(Kind.INTEGER, "instr(%s, 'b')", any(Kind.TEXT)));
    }

    private void addDates() {
        for (String field : List.of("year", "month", "day", "quarter")) {
            add(scalars, same(Kind.INTEGER, field + "(%s)", any(Kind.DATE)));
        }
        for (String field : List.of("hour", "minute", "second")) {
            add(scalars, same(Kind.INTEGER, field + "(%s)", any(Kind.TIMESTAMP)));
        }
        String days = "date_diff('day', %2$s, %1$s)";
        add(scalars, both(Kind.INTEGER, "datediff(%s, %s)", days, any(Kind.DATE), any(Kind.DATE)));
        add(scalars, both(Kind.DATE, "date_add(%s, %s)", "(%s + %s)", any(Kind.DATE), small(Kind.INTEGER)));
        add(scalars, both(Kind.DATE, "date_sub(%s, %s)", "(%s - %s)", any(Kind.DATE), small(Kind.INTEGER)));
        add(scalars, same(Kind.DATE, "CAST(last_day(%s) AS DATE)", any(Kind.DATE)));
        add(scalars, same(Kind.DATE, "CAST(%s AS DATE)", any(Kind.TIMESTAMP)));
        add(scalars, same(Kind.TIMESTAMP, "CAST(%s AS TIMESTAMP)", any(Kind.DATE)));
        add(scalars, hive(Kind.DATE, "CAST(add_months(%s, %s) AS DATE)", any(Kind.DATE), small(Kind.INTEGER)));
        add(scalars, hive(Kind.DATE, "CAST(%s AS DATE)", any(Kind.TEXT)));
    }

    private void addAggregates() {
        add(aggregates, COUNT_ROWS);
        add(aggregates, COUNT_TRUE);
        for (Kind kind : Kind.values()) {
            add(aggregates, same(Kind.INTEGER, "count(%s)", any(kind)));
            add(aggregates, same(Kind.INTEGER, "count(DISTINCT %s)", any(kind)));
            if (kind != Kind.BOOLEAN) {
                add(aggregates, same(kind, "min(%s)", any(kind)));
                add(aggregates, same(kind, "max(%s)", any(kind)));
            }
        }
        for (Kind kind : List.of(Kind.DECIMAL, Kind.DOUBLE)) {
            add(aggregates, same(kind, "sum(%s)", any(kind)));
            add(aggregates, same(kind, "sum(DISTINCT %s)", any(kind)));
        }
        addSums("sum(%s)");
        addSums("sum(DISTINCT %s)");
        add(aggregates, hive(Kind.DECIMAL, "avg(%s)", any(Kind.DECIMAL)));
        add(
                aggregates,
                both(
                        Kind.BOOLEAN,
                        "(max(if(%s, 1, 0)) = 1)",
                        "(max(CASE WHEN %s THEN 1 ELSE 0 END) = 1)",
                        any(Kind.BOOLEAN)));
    }

    /** Adds sums with a cast for the peer, whose sums of integers do not wrap around. */
    private void addSums(String sum) {
        add(aggregates, both(Kind.INTEGER, sum, "CAST(" + sum + " AS BIGINT)", any(Kind.INTEGER)));
    }

    private void addWindows() {
        for (String function : List.of("row_number()", "rank()", "dense_rank()")) {
            add(windows, same(Kind.INTEGER, function));
        }
        add(windows, same(Kind.INTEGER, "ntile(%s)", small(Kind.INTEGER)));
        add(windows, same(Kind.INTEGER, "count(*)"));
        for (Kind kind : Kind.values()) {
            add(windows, same(kind, "lag(%s, %s)", any(kind), small(Kind.INTEGER)));
            add(windows, same(kind, "lead(%s)", any(kind)));
            add(windows, same(kind, "first_value(%s)", any(kind)));
            add(windows, same(kind, "last_value(%s)", any(kind)));
            add(windows, same(Kind.INTEGER, "count(%s)", any(kind)));
            if (kind != Kind.BOOLEAN) {
                add(windows, same(kind, "min(%s)", any(kind)));
                add(windows, same(kind, "max(%s)", any(kind)));
            }
        }
        for (Kind kind : List.of(Kind.INTEGER, Kind.DECIMAL, Kind.DOUBLE)) {
            add(windows, same(kind, "sum(%s)", any(kind)));
            for (String function : List.of("sum", "min", "max", "count")) {
                add(ranges, same(function.equals("count") ? Kind.INTEGER : kind, function + "(%s)", any(kind)));
            }
        }
    }

    private void add(Map<Kind, List<Form>> forms, Form form) {
        if (portable && form.peer().isEmpty()) {
            return;
        }
        forms.computeIfAbsent(form.result(), kind -> new ArrayList<>()).add(form);
    }

    private static Form same(Kind result, String text, Slot... operands) {
        return new Form(result, Arrays.asList(operands), text, Optional.of(text));
    }

    private static Form both(Kind result, String hive, String peer, Slot... operands) {
        return new Form(result, Arrays.asList(operands), hive, Optional.of(peer));
    }

    private static Form hive(Kind result, String hive, Slot... operands) {
        return new Form(result, Arrays.asList(operands), hive, Optional.empty());
    }

    private static Slot any(Kind kind) {
        return new Slot(kind, Source.ANY);
    }

    private static Slot literal(Kind kind) {
        return new Slot(kind, Source.LITERAL);
    }

    private static Slot small(Kind kind) {
        return new Slot(kind, Source.SMALL);
    }

    private static Slot pattern() {
        return new Slot(Kind.TEXT, Source.PATTERN);
    }
}
