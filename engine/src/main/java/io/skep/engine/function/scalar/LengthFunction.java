package io.skep.engine.function.scalar;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;

/** length: the number of characters of a text, or of bytes. */
record LengthFunction(boolean characters) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector text = (BytesVector) arguments[0];
        long[] lengths = new long[rows];
        for (int i = 0; i < rows; i++) {
            int start = text.offsets()[i];
            int bytes = text.lengths()[i];
            lengths[i] = characters ? Utf8.length(text.data(), start, start + bytes) : bytes;
        }
        return new LongVector(lengths, text.nulls(), rows);
    }
}
