package io.skep.engine.function.scalar;

import io.skep.common.vector.Vector;

/** A kernel that is applied to the result of another kernel. */
record Composed(ScalarFunction outer, ScalarFunction inner) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        return outer.evaluate(new Vector[] {inner.evaluate(arguments, rows)}, rows);
    }
}
