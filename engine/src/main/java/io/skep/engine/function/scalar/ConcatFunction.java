package io.skep.engine.function.scalar;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** concat of strings. The result is null if any string is null. */
record ConcatFunction() implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long @Nullable [] nulls = null;
        for (Vector argument : arguments) {
            nulls = NullMask.or(nulls, argument.nulls(), rows);
        }
        BytesResult result = new BytesResult(rows, rows * 16);
        for (int i = 0; i < rows; i++) {
            result.start(i);
            if (!NullMask.isNull(nulls, i)) {
                for (Vector argument : arguments) {
                    BytesVector text = (BytesVector) argument;
                    result.add(text.data(), text.offsets()[i], text.lengths()[i]);
                }
            }
            result.end(i);
        }
        return result.vector(nulls);
    }
}
