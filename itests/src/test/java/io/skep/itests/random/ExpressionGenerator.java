package io.skep.itests.random;

import io.skep.itests.random.Expression.Call;
import io.skep.itests.random.Expression.Literal;
import io.skep.itests.random.Form.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Generates random expressions over given leaves. */
final class ExpressionGenerator {
    private static final double LEAF_SHARE = 0.35;
    private static final double LITERAL_SHARE = 0.15;

    private final RandomGenerator random;
    private final RandomValues values;
    private final Forms forms;

    /** @param portable whether all expressions mean the same in both dialects */
    ExpressionGenerator(RandomGenerator random, boolean portable) {
        this.random = random;
        this.forms = new Forms(portable);
        this.values = new RandomValues(random);
    }

    /**
     * @param leaves columns, or the keys and aggregates of a group
     * @param depth the maximum nesting of forms
     */
    Expression scalar(Kind kind, List<Expression> leaves, int depth) {
        List<Form> candidates = forms.scalars(kind);
        if (depth == 0 || candidates.isEmpty() || kind != Kind.BOOLEAN && random.nextDouble() < LEAF_SHARE) {
            return leaf(kind, leaves);
        }
        return call(pick(candidates), leaves, depth);
    }

    Expression predicate(List<Expression> leaves, int depth) {
        return scalar(Kind.BOOLEAN, leaves, Math.max(1, depth));
    }

    Expression aggregate(Kind kind, List<Expression> leaves, int depth) {
        List<Form> candidates = forms.aggregates(kind);
        return candidates.isEmpty() ? aggregate(Kind.INTEGER, leaves, depth) : call(pick(candidates), leaves, depth);
    }

    /** Returns a function over a window whose rows have no total order. */
    Expression range(List<Expression> leaves, int depth) {
        return call(pick(forms.ranges(pick(List.of(Kind.INTEGER, Kind.DECIMAL, Kind.DOUBLE)))), leaves, depth);
    }

    Expression window(Kind kind, List<Expression> leaves, int depth) {
        return call(pick(forms.windows(kind)), leaves, depth);
    }

    private Expression call(Form form, List<Expression> leaves, int depth) {
        List<Expression> operands = new ArrayList<>();
        for (Slot slot : form.operands()) {
            operands.add(
                    switch (slot.source()) {
                        case ANY -> scalar(slot.kind(), leaves, depth - 1);
                        case LITERAL -> new Literal(slot.kind(), values.literal(slot.kind()));
                        case PATTERN -> new Literal(Kind.TEXT, values.pattern());
                        case SMALL -> new Literal(Kind.INTEGER, values.small());
                    });
        }
        return new Call(form, operands);
    }

    private Expression leaf(Kind kind, List<Expression> leaves) {
        List<Expression> fitting =
                leaves.stream().filter(leaf -> leaf.kind() == kind).toList();
        return fitting.isEmpty() || random.nextDouble() < LITERAL_SHARE
                ? new Literal(kind, values.literal(kind))
                : pick(fitting);
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    Kind kind() {
        return pick(List.of(Kind.values()));
    }
}
