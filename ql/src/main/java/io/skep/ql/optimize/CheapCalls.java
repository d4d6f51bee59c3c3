package io.skep.ql.optimize;

import io.skep.common.vector.Datum;
import io.skep.engine.function.hive.CallKind;
import io.skep.engine.function.hive.HiveFunctions;
import io.skep.engine.plan.Expression;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Decides which expressions are evaluated while a statement compiles: those whose calls finish soon and return small
 * values. All others are evaluated when the statement runs, with memory accounting and cancellation. User functions are
 * never evaluated here. Built-in functions that call Java methods or read files are excluded as well. Functions that
 * use regular expressions, or that may need or return much more than they receive ({@link CallKind}), are evaluated
 * with short constants only, or not at all.
 */
final class CheapCalls {
    /** Other names of operators that are not in Hive's list of functions. */
    private static final Set<String> EXPENSIVE = Set.of("like any", "like all");

    private static final Set<String> REGULAR_EXPRESSIONS =
            Set.of("regexp", "rlike", "regexp_replace", "regexp_extract", "split");

    /** A pattern with one quantifier takes at most quadratic time in the length of its text. */
    private static final int MAX_QUANTIFIERS = 1;

    private static final String QUANTIFIERS = "*+?{";
    private static final int MAX_MATCHED = 1_000;

    /**
     * The limit for the constants of a call and for its result, in bytes. Calcite repeatedly renders expressions as
     * text.
     */
    static final int MAX_BYTES = 64 << 10;

    private long bytes;

    private CheapCalls() {}

    static boolean isFoldableCheaply(Expression expression) {
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
        return bytes <= MAX_BYTES;
    }

    private void add(Datum value) {
        bytes += value instanceof Datum.OfBytes text ? text.value().length : Long.BYTES;
        if (bytes > MAX_BYTES) {
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
        if (HiveFunctions.isOfUser(call.function()) || EXPENSIVE.contains(call.function())) {
            return false;
        }
        if (REGULAR_EXPRESSIONS.contains(call.function())) {
            return isShortMatch(call.arguments());
        }
        CallKind kind = kind(call);
        List<Expression> counted = kind == CallKind.PATTERN
                ? call.arguments()
                        .subList(
                                Math.min(1, call.arguments().size()),
                                call.arguments().size())
                : call.arguments();
        return kind.isFoldable() && (!kind.isGrowing() || bytes(counted) <= MAX_MATCHED);
    }

    private static CallKind kind(Expression.Call call) {
        return CallKind.of(call.function()).orElse(CallKind.COPIES);
    }

    private static long bytes(List<Expression> expressions) {
        return expressions.stream().mapToLong(CheapCalls::bytes).sum();
    }

    /** Returns an approximate upper bound of the value's length. The result of a growing call has no bound. */
    private static long bytes(Expression expression) {
        return switch (expression) {
            case Expression.Constant constant -> {
                CheapCalls counter = new CheapCalls();
                counter.add(constant.value());
                yield counter.bytes;
            }
            case Expression.Cast cast -> Long.BYTES + bytes(cast.operand());
            case Expression.Call call when !kind(call).isGrowing() -> Long.BYTES + 2 * bytes(call.arguments());
            case Expression.Call _ -> MAX_BYTES;
            default -> Long.BYTES;
        };
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
        return !regex.isEmpty() && quantifiers <= MAX_QUANTIFIERS && text.length() + regex.length() <= MAX_MATCHED;
    }

    /** Returns the text of a constant, or an empty text for any other expression. */
    private static String constant(Expression expression) {
        return expression instanceof Expression.Constant constant && constant.value() instanceof Datum.OfBytes text
                ? new String(text.value(), StandardCharsets.UTF_8)
                : "";
    }
}
