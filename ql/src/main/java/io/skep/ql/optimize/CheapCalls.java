package io.skep.ql.optimize;

import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Which expressions are evaluated while a statement compiles: those whose calls are known to end soon, and to give little. What
 * is left out is evaluated where the statement runs, which has accounts of memory and can be cancelled. A user's functions are
 * left out, and the built-in ones that call methods of Java, read files, take regular expressions, or give more than they get.
 */
final class CheapCalls {
    /** Between the name of a user's function and its class. */
    private static final String USER_FUNCTION = "@";

    private static final Set<String> EXPENSIVE = Set.of(
            "reflect",
            "reflect2",
            "java_method",
            "in_file",
            "repeat",
            "space",
            "lpad",
            "rpad",
            "sentences",
            "str_to_map",
            "printf",
            "format_string",
            "format_number",
            "replace",
            "like_any",
            "like any",
            "like_all",
            "like all",
            "get_json_object",
            "xpath",
            "xpath_boolean",
            "xpath_double",
            "xpath_float",
            "xpath_int",
            "xpath_long",
            "xpath_number",
            "xpath_short",
            "xpath_string");

    private static final Set<String> REGULAR_EXPRESSIONS =
            Set.of("regexp", "rlike", "regexp_replace", "regexp_extract", "split");

    /** A pattern with one quantifier takes at most the square of its text. */
    private static final int MOST_QUANTIFIERS = 1;

    private static final String QUANTIFIERS = "*+?{";
    private static final int MOST_MATCHED = 1_000;

    /** Of the constants of a call, and of its result: Calcite writes an expression as a text again and again. */
    static final int MOST_BYTES = 64 << 10;

    private long bytes;

    private CheapCalls() {}

    static boolean only(Expression expression) {
        return new CheapCalls().isCheap(expression);
    }

    private boolean isCheap(Expression expression) {
        return switch (expression) {
            case Expression.InputColumn _ -> true;
            case Expression.Constant constant -> count(constant);
            case Expression.Cast cast -> isCheap(cast.operand());
            case Expression.And and -> all(and.operands());
            case Expression.Or or -> all(or.operands());
            case Expression.In in -> isCheap(in.value());
            case Expression.Case choice ->
                choice.branches().stream().allMatch(branch -> isCheap(branch.condition()) && isCheap(branch.value()))
                        && isCheap(choice.otherwise());
            case Expression.Call call -> isCheap(call) && all(call.arguments());
        };
    }

    private boolean all(List<? extends Expression> expressions) {
        return expressions.stream().allMatch(this::isCheap);
    }

    private boolean count(Expression.Constant constant) {
        add(constant.value());
        return bytes <= MOST_BYTES;
    }

    private void add(Datum value) {
        bytes += value instanceof Datum.OfBytes text ? text.value().length : Long.BYTES;
        if (bytes > MOST_BYTES) {
            return;
        }
        switch (value) {
            case Datum.OfList list -> list.values().forEach(this::add);
            case Datum.OfMap map -> {
                map.keys().forEach(this::add);
                map.values().forEach(this::add);
            }
            case Datum.OfUnion union -> add(union.value());
            default -> {}
        }
    }

    private static boolean isCheap(Expression.Call call) {
        if (call.function().contains(USER_FUNCTION) || EXPENSIVE.contains(call.function())) {
            return false;
        }
        return !REGULAR_EXPRESSIONS.contains(call.function()) || isShortMatch(call.arguments());
    }

    private static boolean isShortMatch(List<Expression> arguments) {
        if (arguments.size() < 2) {
            return false;
        }
        if (!(arguments.get(0) instanceof Expression.Constant)) {
            return false;
        }
        String text = constant(arguments.get(0));
        String regex = constant(arguments.get(1));
        long quantifiers =
                regex.chars().filter(c -> QUANTIFIERS.indexOf(c) >= 0).count();
        return !regex.isEmpty() && quantifiers <= MOST_QUANTIFIERS && text.length() + regex.length() <= MOST_MATCHED;
    }

    /** The text of a constant; empty for all others. */
    private static String constant(Expression expression) {
        return expression instanceof Expression.Constant constant && constant.value() instanceof Datum.OfBytes text
                ? new String(text.value(), StandardCharsets.UTF_8)
                : "";
    }
}
