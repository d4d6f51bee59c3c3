package io.skep.engine.function.scalar;

import io.skep.common.concurrent.Interruption;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** regexp: whether the pattern occurs anywhere in the text. An empty pattern never matches, as in Hive. */
final class RegexpFunction extends RegexFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "regexp", "rlike"),
            ScalarTypes.ofHive().withEach(ScalarTypes::plain),
            RegexpFunction::kernel);

    /** Selects Hive's other regex engine, whose matching time is linear in the length of the text. */
    private static final String OTHER_ENGINE = "hive.use.googleregex.engine";

    RegexpFunction() {
        super("regexp");
    }

    private static Optional<ScalarFunction> kernel(ScalarCall call) {
        boolean known = call.types().size() == 2
                && call.allAre(PrimitiveType.STRING)
                && !"true".equalsIgnoreCase(call.settings().get(OTHER_ENGINE));
        return known ? Optional.of(new RegexpFunction()) : Optional.empty();
    }

    @Override
    Vector evaluate(Vector[] arguments, long @Nullable [] nulls, int rows) {
        BytesVector texts = (BytesVector) arguments[0];
        BytesVector patterns = (BytesVector) arguments[1];
        long[] truths = new long[rows];
        for (int row = 0; row < rows; row++) {
            Interruption.check();
            if (!NullMask.isNull(nulls, row) && patterns.lengths()[row] > 0) {
                truths[row] = matcher(texts.string(row), patterns, row).find() ? 1 : 0;
            }
        }
        return new LongVector(truths, nulls, rows);
    }
}
