package io.skep.engine.expression;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.scalar.ScalarFunction;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function of evaluated arguments. Its kernel gets flat vectors only. If all arguments are constant, the kernel runs
 * on one row. If one argument is a dictionary and the others are constant, it runs on the dictionary's entries,
 * which may have values of no row. Otherwise the arguments are flattened.
 */
final class FunctionEvaluator implements Evaluator {
    private final ScalarFunction function;
    private final Evaluator[] arguments;
    private final FlatConstant[] constants;
    private final boolean deterministic;

    FunctionEvaluator(ScalarFunction function, List<Evaluator> arguments) {
        this.function = function;
        this.arguments = arguments.toArray(Evaluator[]::new);
        this.deterministic = function.deterministic();
        this.constants = new FlatConstant[arguments.size()];
        Arrays.setAll(constants, i -> new FlatConstant());
    }

    @Override
    public Vector evaluate(Batch input) {
        int rows = input.rowCount();
        Vector[] values = new Vector[arguments.length];
        int varying = -1;
        int varyingCount = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments[i].evaluate(input);
            if (!(values[i] instanceof ConstantVector)) {
                varying = i;
                varyingCount++;
            }
        }
        if (deterministic && rows > 0) {
            if (varyingCount == 0) {
                return new ConstantVector(function.evaluate(flat(values, 1), 1).flatten(), rows);
            }
            if (varyingCount == 1
                    && values[varying] instanceof DictionaryVector encoded
                    && encoded.dictionary().length() > 0
                    && encoded.dictionary().length() < rows) {
                Vector result =
                        overDictionary(values, varying, function.hasSideEffects() ? withUsedEntries(encoded) : encoded);
                if (result != null) {
                    return result;
                }
            }
        }
        return function.evaluate(flat(values, rows), rows);
    }

    private Vector[] flat(Vector[] values, int rows) {
        Vector[] flat = new Vector[values.length];
        for (int i = 0; i < flat.length; i++) {
            flat[i] = values[i] instanceof ConstantVector constant
                    ? constants[i].rows(constant.value(), rows)
                    : values[i].flatten();
        }
        return flat;
    }

    /** Returns the same values with a dictionary of the entries that rows use. */
    private static DictionaryVector withUsedEntries(DictionaryVector encoded) {
        int[] places = new int[encoded.dictionary().length()];
        Arrays.fill(places, -1);
        int[] entries = new int[places.length];
        int[] ids = new int[encoded.length()];
        int count = 0;
        for (int row = 0; row < ids.length; row++) {
            if (encoded.isNull(row)) {
                continue;
            }
            int id = encoded.ids()[row];
            if (places[id] < 0) {
                places[id] = count;
                entries[count++] = id;
            }
            ids[row] = places[id];
        }
        return count == places.length
                ? encoded
                : new DictionaryVector(
                        ids, encoded.dictionary().select(entries, count), encoded.nulls(), encoded.length());
    }

    /** Returns null if the function fails on an entry, because no row might use that entry. */
    private @Nullable Vector overDictionary(Vector[] values, int index, DictionaryVector encoded) {
        Vector dictionary = encoded.dictionary();
        int entries = dictionary.length();
        Vector[] onEntries = values.clone();
        boolean nulls = NullMask.count(encoded.nulls(), encoded.length()) > 0;
        try {
            onEntries[index] = nulls ? Scatter.withNullEntry(dictionary) : dictionary;
            int count = nulls ? entries + 1 : entries;
            Vector results = function.evaluate(flat(onEntries, count), count).flatten();
            return decode(results, encoded, nulls);
        } catch (SkepException e) {
            return null;
        }
    }

    private static Vector decode(Vector results, DictionaryVector encoded, boolean nulls) {
        if (!nulls) {
            return results.mayHaveNulls()
                    ? results.select(encoded.ids(), encoded.length())
                    : new DictionaryVector(encoded.ids(), results, null, encoded.length());
        }
        int[] ids = encoded.ids().clone();
        int nullEntry = results.length() - 1;
        for (int i = 0; i < encoded.length(); i++) {
            if (encoded.isNull(i)) {
                ids[i] = nullEntry;
            }
        }
        return results.select(ids, encoded.length());
    }

    @Override
    public void close() {
        function.close();
        for (Evaluator argument : arguments) {
            argument.close();
        }
    }

    /**
     * A constant as a flat vector, kept for the next batch. If the next batch has fewer rows, only the length is
     * adjusted. A long constant is not kept: it may be the result of a function, which no memory account counts.
     */
    private static final class FlatConstant {
        private static final long LONG_VALUE = 1 << 20;

        private @Nullable Vector value;
        private @Nullable Vector flat;

        Vector rows(Vector one, int rows) {
            Vector known = flat;
            if (known == null || value != one || known.length() < rows) {
                known = one.select(
                        new int[Math.max(rows, rows == 1 ? 1 : Batch.TARGET_ROWS)],
                        Math.max(rows, rows == 1 ? 1 : Batch.TARGET_ROWS));
                if (one.retainedBytes() <= LONG_VALUE) {
                    value = one;
                    flat = known;
                }
            }
            return Scatter.prefix(known, rows);
        }
    }
}
