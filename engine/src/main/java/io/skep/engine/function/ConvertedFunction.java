package io.skep.engine.function;

import io.skep.common.vector.Vector;
import io.skep.engine.function.scalar.ScalarFunction;

/** A function whose results are cast to the type that the plan states. */
record ConvertedFunction(ScalarFunction function, ScalarFunction cast) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        return cast.evaluate(new Vector[] {function.evaluate(arguments, rows)}, rows);
    }

    @Override
    public boolean deterministic() {
        return function.deterministic();
    }

    @Override
    public void close() {
        function.close();
        cast.close();
    }
}
