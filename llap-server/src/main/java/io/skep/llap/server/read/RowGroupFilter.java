package io.skep.llap.server.read;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorArrays;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.table.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether any row of a row group may match a scan's predicates, according to the rows themselves. Predicates without a
 * test count as matching: ranges or long lists of strings, doubles, large decimals and times. Immutable.
 */
final class RowGroupFilter {
    static final RowGroupFilter NONE = new RowGroupFilter(List.of());

    /** Strings of a list are compared one by one, so longer lists have no test. */
    private static final int MAX_TEXTS = 16;

    /** A predicate prepared for evaluation on rows. Only {@link IsNull} may match null. */
    private sealed interface Condition {
        record IsNull(boolean wanted) implements Condition {}

        /** A range that includes both ends. */
        record Between(long low, long high) implements Condition {}

        record AmongNumbers(long[] sorted) implements Condition {}

        record AmongTexts(List<byte[]> texts) implements Condition {}
    }

    private record Tested(int column, Condition condition) {}

    private final List<Tested> tests;
    private final List<Integer> columns;

    private RowGroupFilter(List<Tested> tests) {
        this.tests = tests;
        this.columns = tests.stream().map(Tested::column).distinct().sorted().toList();
    }

    /**
     * Creates the filter from those predicates that have a test.
     *
     * @param read ordinals of the file columns that are read
     */
    static RowGroupFilter of(List<ColumnPredicate> predicates, List<Column> fileColumns, List<Integer> read) {
        List<Tested> tests = new ArrayList<>();
        for (ColumnPredicate predicate : predicates) {
            int column = predicate.column();
            if (read.contains(column)) {
                condition(predicate, fileColumns.get(column).type())
                        .ifPresent(condition -> tests.add(new Tested(column, condition)));
            }
        }
        return tests.isEmpty() ? NONE : new RowGroupFilter(List.copyOf(tests));
    }

    private static Optional<Condition> condition(ColumnPredicate predicate, SqlType type) {
        return switch (predicate) {
            case ColumnPredicate.IsNull _ -> Optional.of(new Condition.IsNull(true));
            case ColumnPredicate.IsNotNull _ -> Optional.of(new Condition.IsNull(false));
            case ColumnPredicate.In in -> among(in.values(), type);
            case ColumnPredicate.Range range -> between(range);
        };
    }

    private static Optional<Condition> among(List<Datum> values, SqlType type) {
        if (values.stream().allMatch(Datum.OfLong.class::isInstance)) {
            return Optional.of(new Condition.AmongNumbers(values.stream()
                    .mapToLong(value -> ((Datum.OfLong) value).value())
                    .sorted()
                    .toArray()));
        }
        if (type == PrimitiveType.STRING
                && values.size() <= MAX_TEXTS
                && values.stream().allMatch(Datum.OfBytes.class::isInstance)) {
            return Optional.of(new Condition.AmongTexts(values.stream()
                    .map(value -> ((Datum.OfBytes) value).value())
                    .toList()));
        }
        return Optional.empty();
    }

    private static Optional<Condition> between(ColumnPredicate.Range range) {
        if (!isLong(range.low()) || !isLong(range.high())) {
            return Optional.empty();
        }
        long low = end(range.low(), Long.MIN_VALUE);
        long high = end(range.high(), Long.MAX_VALUE);
        boolean nothing = range.low().isPresent() && !range.lowInclusive() && low == Long.MAX_VALUE
                || range.high().isPresent() && !range.highInclusive() && high == Long.MIN_VALUE;
        if (nothing) {
            return Optional.of(new Condition.Between(1, 0));
        }
        return Optional.of(new Condition.Between(
                range.low().isPresent() && !range.lowInclusive() ? low + 1 : low,
                range.high().isPresent() && !range.highInclusive() ? high - 1 : high));
    }

    private static boolean isLong(Optional<Datum> bound) {
        return bound.isEmpty() || bound.get() instanceof Datum.OfLong;
    }

    private static long end(Optional<Datum> bound, long absent) {
        return bound.isPresent() && bound.get() instanceof Datum.OfLong value ? value.value() : absent;
    }

    /** The columns that the filter uses. */
    List<Integer> columns() {
        return columns;
    }

    /** Returns false when no row can match. Columns that are not given are ignored. */
    boolean mayMatch(Map<Integer, ColumnRows> rows) {
        List<Given> possible = new ArrayList<>();
        for (Tested test : tests) {
            ColumnRows values = rows.get(test.column());
            if (values != null) {
                possible.add(new Given(test.condition(), values));
            }
        }
        if (possible.isEmpty()) {
            return true;
        }
        int count = possible.getFirst().rows().rowCount();
        for (int from = 0; from < count; from += Batch.TARGET_ROWS) {
            if (mayMatch(possible, from, Math.min(Batch.TARGET_ROWS, count - from))) {
                return true;
            }
        }
        return false;
    }

    /** A condition and the rows of its column. */
    private record Given(Condition condition, ColumnRows rows) {}

    private static boolean mayMatch(List<Given> possible, int from, int count) {
        boolean[] left = new boolean[count];
        Arrays.fill(left, true);
        for (Given one : possible) {
            if (!retain(one.condition(), one.rows().decode(from, count, VectorArrays.NEW), left)) {
                return false;
            }
        }
        return true;
    }

    /** Removes the rows that do not match. Returns whether any row is left. */
    private static boolean retain(Condition condition, Vector values, boolean[] left) {
        if (values instanceof LongVector v && !v.mayHaveNulls()) {
            if (condition instanceof Condition.Between between) {
                return retain(between.low(), between.high(), v.values(), left);
            }
            if (condition instanceof Condition.AmongNumbers among) {
                return retain(among.sorted(), v.values(), left);
            }
        }
        boolean any = false;
        for (int row = 0; row < left.length; row++) {
            left[row] = left[row] && matches(condition, values, row);
            any |= left[row];
        }
        return any;
    }

    private static boolean retain(long low, long high, long[] values, boolean[] left) {
        boolean any = false;
        for (int row = 0; row < left.length; row++) {
            left[row] &= isIn(low, high, values[row]);
            any |= left[row];
        }
        return any;
    }

    private static boolean retain(long[] sorted, long[] values, boolean[] left) {
        boolean any = false;
        for (int row = 0; row < left.length; row++) {
            left[row] &= Arrays.binarySearch(sorted, values[row]) >= 0;
            any |= left[row];
        }
        return any;
    }

    private static boolean matches(Condition condition, Vector values, int row) {
        boolean isNull = values.isNull(row);
        return switch (condition) {
            case Condition.IsNull(boolean wanted) -> isNull == wanted;
            case Condition.Between(long low, long high) ->
                !isNull && (!(flat(values) instanceof LongVector v) || isIn(low, high, v.value(at(values, row))));
            case Condition.AmongNumbers(long[] sorted) ->
                !isNull
                        && (!(flat(values) instanceof LongVector v)
                                || Arrays.binarySearch(sorted, v.value(at(values, row))) >= 0);
            case Condition.AmongTexts(List<byte[]> texts) ->
                !isNull && (!(flat(values) instanceof BytesVector v) || isOneOf(texts, v, at(values, row)));
        };
    }

    /** Returns the vector that holds the values of an encoded vector. */
    private static Vector flat(Vector values) {
        return switch (values) {
            case DictionaryVector v -> v.dictionary();
            case ConstantVector v -> v.value();
            default -> values;
        };
    }

    private static int at(Vector values, int row) {
        return switch (values) {
            case DictionaryVector v -> v.ids()[row];
            case ConstantVector _ -> 0;
            default -> row;
        };
    }

    private static boolean isIn(long low, long high, long value) {
        return value >= low && value <= high;
    }

    private static boolean isOneOf(List<byte[]> texts, BytesVector values, int row) {
        int from = values.offsets()[row];
        int to = from + values.lengths()[row];
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = texts.get(i);
            if (Arrays.equals(text, 0, text.length, values.data(), from, to)) {
                return true;
            }
        }
        return false;
    }
}
