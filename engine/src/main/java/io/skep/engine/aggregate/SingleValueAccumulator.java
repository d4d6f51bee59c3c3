package io.skep.engine.aggregate;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The value of a scalar subquery. It is the value of the only row, or null if there is no row. More than one row is an
 * error (SUBQUERY_NOT_SCALAR). A state consists of the number of rows and the value.
 */
final class SingleValueAccumulator implements Accumulator {
    static final AggregateFunctionEntry ENTRY = new AggregateFunctionEntry(
            FunctionMetadata.ofPlans(Nullability.NULL_ON_NULL, "single_value"),
            arguments -> Optional.of(
                    new AggregateFunctionEntry.Types(arguments, state(arguments.getFirst()), arguments.getFirst())),
            (arguments, type) -> Optional.of(() -> new SingleValueAccumulator(type)));

    private static final long VALUE_BYTES = 48;

    private final SqlType type;
    private final List<Datum> values = new ArrayList<>();
    private long[] rowCounts = new long[0];

    SingleValueAccumulator(SqlType type) {
        this.type = type;
    }

    private static StructType state(SqlType value) {
        return new StructType(
                List.of(new StructType.Field("count", PrimitiveType.BIGINT), new StructType.Field("value", value)));
    }

    @Override
    public void ensureGroups(int count) {
        if (rowCounts.length < count) {
            rowCounts = Arrays.copyOf(rowCounts, GroupFlags.capacity(rowCounts.length, count));
        }
        while (values.size() < count) {
            values.add(Datum.NULL);
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        for (int i = 0; i < rows; i++) {
            set(groupIds[i], arguments[0], i);
        }
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        StructVector state = (StructVector) states.flatten();
        long[] counts = ((LongVector) state.fields().get(0).flatten()).values();
        Vector partial = state.fields().get(1).flatten();
        for (int i = 0; i < rows; i++) {
            if (counts[i] > 0) {
                set(groupIds[i], partial, i);
            }
        }
    }

    private void set(int group, Vector vector, int row) {
        if (rowCounts[group]++ > 0) {
            throw new SkepException(
                    StandardErrorCode.SUBQUERY_NOT_SCALAR,
                    "a subquery that stands for one value has more than one row");
        }
        values.set(group, Datum.of(vector, row, type));
    }

    @Override
    public Vector states(int from, int count) {
        LongVector counts = new LongVector(Arrays.copyOfRange(rowCounts, from, from + count), null, count);
        return new StructVector(List.of(counts, results(from, count)), null, count);
    }

    @Override
    public Vector results(int from, int count) {
        VectorAppender appender = VectorAppender.of(type);
        values.subList(from, from + count).forEach(value -> value.appendTo(appender, type));
        return appender.build();
    }

    @Override
    public long retainedBytes() {
        return 8L * rowCounts.length + VALUE_BYTES * values.size();
    }
}
