package io.skep.engine.aggregate;

import io.skep.common.vector.Datum;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.hive.HiveAggregates;
import io.skep.engine.function.hive.HiveArgument;
import io.skep.engine.function.hive.StateKind;
import java.util.List;

/**
 * Estimates how much the states of one of Hive's aggregates grow, because Hive's classes do not report it. The estimate
 * adds up the incoming values, up to the bound that the constant arguments set for a group. A user's function may keep
 * every row.
 */
final class StateGrowth {
    private static final int BYTES_OF_A_ROW = 32;

    /** The bytes of an object that holds a value, in addition to the value's bytes. */
    private static final int BYTES_OF_A_VALUE = 48;

    private static final int BYTES_OF_A_BIN = 64;

    /** The bytes of a sequence of words in a map, and of each word in it. */
    private static final int BYTES_OF_A_SEQUENCE = 160;

    private static final int BYTES_OF_A_PLACE = 8;
    private static final int BYTES_OF_A_WORD = 64;

    /** The minimum number of sequences that Hive keeps. It keeps up to twice as many before it drops some. */
    private static final int MIN_SEQUENCES = 1_000;

    private static final long BYTES_OF_A_SKETCH = 64 << 10;
    private static final long MAX_LOGARITHM = 30;

    private final StateKind kind;
    private final long places;
    private final long mostOfGroup;

    /** The largest average bytes per row seen so far. */
    private long longest;

    StateGrowth(HiveAggregates.Bound bound) {
        this.kind = StateKind.of(bound.name()).orElse(StateKind.VALUES);
        List<HiveArgument> arguments = bound.arguments();
        this.places = kind == StateKind.NGRAMS ? places(bound.name(), arguments) : 0;
        this.mostOfGroup = switch (kind) {
            case NUMBERS -> 0;
            case VALUE, VALUES -> Long.MAX_VALUE;
            case HISTOGRAM -> size(arguments, 1) * BYTES_OF_A_BIN;
            case NGRAMS ->
                saturated(2 * Math.max(MIN_SEQUENCES, saturated(size(arguments, 2), factor(arguments))), sequence());
            case SKETCH -> sketch(arguments);
        };
    }

    /** Returns the number of words in a sequence. */
    private static long places(String function, List<HiveArgument> arguments) {
        return function.equals("ngrams")
                ? size(arguments, 1)
                : arguments.size() > 1 && arguments.get(1).constant() instanceof Datum.OfList context
                        ? context.values().size()
                        : Integer.MAX_VALUE;
    }

    private static long factor(List<HiveArgument> arguments) {
        return arguments.size() > 3 ? size(arguments, 3) : 1;
    }

    private long sequence() {
        return BYTES_OF_A_SEQUENCE + places * (BYTES_OF_A_PLACE + BYTES_OF_A_WORD);
    }

    /**
     * Returns the maximum bytes of a sketch. A numeric argument of a sketch is its size or the logarithm of its size.
     */
    private static long sketch(List<HiveArgument> arguments) {
        long most = BYTES_OF_A_SKETCH;
        for (int i = 1; i < arguments.size(); i++) {
            long size = size(arguments, i);
            most = Math.max(most, size <= MAX_LOGARITHM ? (long) Long.BYTES << size : size * BYTES_OF_A_BIN);
        }
        return most;
    }

    /** Returns the argument as an int if it is a constant, otherwise the largest int. */
    private static long size(List<HiveArgument> arguments, int index) {
        return index < arguments.size() && arguments.get(index).constant() instanceof Datum.OfLong number
                ? Math.clamp(number.value(), 0, Integer.MAX_VALUE)
                : Integer.MAX_VALUE;
    }

    private static long saturated(long left, long right) {
        return left != 0 && right > Long.MAX_VALUE / 4 / left ? Long.MAX_VALUE / 4 : left * right;
    }

    /** Returns the bytes that rows add, before the bounds of the groups are applied. */
    long bytes(Vector[] values, int rows) {
        if (kind == StateKind.NUMBERS || rows == 0) {
            return 0;
        }
        long bytes = (long) BYTES_OF_A_ROW * rows;
        for (Vector value : values) {
            bytes += ValueBytes.of(value, rows, BYTES_OF_A_VALUE);
        }
        longest = Math.max(longest, bytes / rows);
        return kind == StateKind.NGRAMS ? bytes + sequences(values[0], rows) : bytes;
    }

    /**
     * Each word may begin a sequence. Sequences share their words. In rows of states, the sequences are written out.
     */
    private long sequences(Vector texts, int rows) {
        if (!(texts instanceof ListVector lists)) {
            return 0;
        }
        long bytes = 0;
        for (int row = 0; row < rows; row++) {
            bytes += lists.isNull(row) ? 0 : sequences(lists, row);
        }
        return bytes;
    }

    private long sequences(ListVector lists, int row) {
        long words = lists.lengths()[row];
        if (lists.elements() instanceof ListVector sentences) {
            long bytes = 0;
            for (int i = 0; i < words; i++) {
                int at = lists.offsets()[row] + i;
                bytes += sentences.isNull(at) ? 0 : sequences((long) sentences.lengths()[at]);
            }
            return bytes;
        }
        return sequences(words);
    }

    private long sequences(long words) {
        return Math.max(0, words - places + 1) * (BYTES_OF_A_SEQUENCE + places * BYTES_OF_A_PLACE);
    }

    /** Returns the maximum bytes that groups keep, independent of the input. */
    long maxBytes(int groups) {
        return kind == StateKind.VALUE ? 2 * longest * groups : saturated(groups, mostOfGroup);
    }
}
