package io.skep.engine.function.scalar;

import io.skep.common.type.SqlType;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Optional;

/**
 * {@code []}: an element of an array by position from 0, or a value of a map by key. The result is null if there is no
 * such element or key.
 */
record IndexFunction(SqlType type) implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "index"),
            ScalarTypes.ofHive(),
            call -> Optional.of(new IndexFunction(call.type())));

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        VectorAppender appender = VectorAppender.of(type);
        for (int row = 0; row < rows; row++) {
            int at = arguments[0].isNull(row) || arguments[1].isNull(row) ? -1 : position(arguments, row);
            if (at < 0) {
                appender.appendNull();
            } else {
                appender.append(values(arguments[0]), at);
            }
        }
        return appender.build();
    }

    private static Vector values(Vector container) {
        return container instanceof ListVector list ? list.elements() : ((MapVector) container).values();
    }

    private int position(Vector[] arguments, int row) {
        if (arguments[0] instanceof ListVector list) {
            long index = ((LongVector) arguments[1]).values()[row];
            return index >= 0 && index < list.lengths()[row] ? list.offsets()[row] + (int) index : -1;
        }
        MapVector map = (MapVector) arguments[0];
        int start = map.offsets()[row];
        for (int i = start; i < start + map.lengths()[row]; i++) {
            if (Values.same(map.keys(), i, arguments[1], row)) {
                return i;
            }
        }
        return -1;
    }
}
