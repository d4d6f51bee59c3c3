package io.skep.engine.aggregate;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.engine.aggregate.MatchPattern.Part;
import io.skep.engine.aggregate.MatchPattern.Repeat;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of its partition that matchpath finds from each row on, as an array of structs; null where the pattern does
 * not match. The arguments are the pattern, a boolean for each symbol, and the fields of the structs. A row for which a
 * boolean is null does not match.
 *
 * <p>Patterns match as Hive's do. A symbol takes as many rows as it can and gives none back. The last row that a
 * {@code +} takes at the end of the partition is not in the result, and is left for the next symbol. A {@code *} takes
 * the last row of the partition even if it does not match. The row at which a match starts is always in the result.
 */
final class MatchedRowsFunction implements WindowFunction {
    static final WindowFunctionEntry ENTRY = new WindowFunctionEntry(
            FunctionMetadata.ofPlans(Nullability.BY_VALUE, "matched_rows"),
            (name, arguments) -> {
                throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, name + " is called by plans only");
            },
            false,
            call -> new MatchedRowsFunction(call.type()));

    private static final int NONE = -1;

    private final int fields;

    /** @param type of the results */
    MatchedRowsFunction(SqlType type) {
        this.fields = ((StructType) ((ArrayType) type).element()).fields().size();
    }

    @Override
    public boolean framed() {
        return false;
    }

    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        int count = rows.count();
        int firstField = arguments.length - fields;
        List<Symbol> symbols = new ArrayList<>();
        for (Vector matches : Arrays.asList(arguments).subList(1, firstField)) {
            symbols.add(Symbol.of((LongVector) matches, rows));
        }
        MatchPattern pattern = pattern(arguments[0]);
        int[] offsets = new int[count];
        int[] lengths = new int[count];
        long[] nulls = new long[NullMask.words(count)];
        for (int row = 0; row < count; row++) {
            Interruption.check();
            int end = rows.partitionEnds()[row];
            int next = match(pattern, symbols, row, end);
            if (next == NONE) {
                NullMask.set(nulls, row);
            } else {
                offsets[row] = row;
                lengths[row] = Math.max(1, Math.min(end, next) - row);
            }
        }
        List<Vector> values = List.of(arguments).subList(firstField, arguments.length);
        return new ListVector(new StructVector(values, null, count), offsets, lengths, nulls, count);
    }

    private static MatchPattern pattern(Vector constant) {
        BytesVector texts = (BytesVector) constant;
        return MatchPattern.parse(
                new String(texts.data(), texts.offsets()[0], texts.lengths()[0], StandardCharsets.UTF_8));
    }

    /** Returns the row after the match that starts at a row, or NONE. */
    private static int match(MatchPattern pattern, List<Symbol> symbols, int start, int end) {
        int next = start;
        for (Part part : pattern.parts()) {
            Symbol symbol = symbols.get(part.symbol());
            boolean optional = part.repeat() == Repeat.ANY_NUMBER;
            if (!optional && (next >= end || !symbol.matches(next))) {
                return NONE;
            }
            if (next < end) {
                next = switch (part.repeat()) {
                    case ONE -> next + 1;
                    case ANY_NUMBER -> symbol.last()[next] + 1 == end ? end : symbol.last()[next];
                    case ONE_OR_MORE -> symbol.last()[next];
                };
            }
        }
        return next;
    }

    /**
     * The rows that a symbol matches.
     *
     * @param last for each row, the first one from it on that does not match, or else the last of the partition
     */
    private record Symbol(LongVector rows, int[] last) {
        private static Symbol of(LongVector matches, WindowRows rows) {
            Symbol symbol = new Symbol(matches, new int[rows.count()]);
            for (int row = rows.count() - 1; row >= 0; row--) {
                boolean ends = row + 1 == rows.partitionEnds()[row] || !symbol.matches(row);
                symbol.last[row] = ends ? row : symbol.last[row + 1];
            }
            return symbol;
        }

        private boolean matches(int row) {
            return !rows.isNull(row) && rows.values()[row] != 0;
        }
    }
}
