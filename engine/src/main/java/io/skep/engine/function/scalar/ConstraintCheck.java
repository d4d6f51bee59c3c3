package io.skep.engine.function.scalar;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Optional;

/**
 * Returns its first argument, unless the second is false for any row. A false value means that the row violates a
 * constraint of the target table, which is an error.
 *
 * @param constraint the constraint's name, for the error
 */
record ConstraintCheck(String constraint) implements ScalarFunction {
    /** The native check has three arguments, as in plans of INSERT. The check with one argument is Hive's. */
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.BY_VALUE, "enforce_constraint"),
            ScalarTypes.ofHive(),
            call -> call.types().size() == 3
                    ? call.constants().get(2).map(text -> new ConstraintCheck(text.toString()))
                    : Optional.empty());

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        LongVector condition = (LongVector) arguments[1];
        for (int i = 0; i < rows; i++) {
            if (!condition.isNull(i) && condition.value(i) == 0) {
                throw new SkepException(
                                StandardErrorCode.CONSTRAINT_VIOLATED,
                                "Either CHECK or NOT NULL constraint violated! " + constraint)
                        .withHint("nothing was written; leave such rows out of the query");
            }
        }
        return arguments[0];
    }
}
