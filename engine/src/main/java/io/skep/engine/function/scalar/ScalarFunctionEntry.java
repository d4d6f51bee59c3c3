package io.skep.engine.function.scalar;

import io.skep.engine.function.entry.FunctionEntry;
import io.skep.engine.function.entry.FunctionMetadata;
import java.util.Optional;

/**
 * A built-in scalar function, or an operator. It stands in the file of its kernel, and in the list of
 * {@link BuiltInScalarFunctions}. The same arguments give the same result, over all queries.
 *
 * @param types how the types of the arguments become those of the call
 * @param kernels makes the kernel of a call whose arguments were cast as {@code types} asks
 */
public record ScalarFunctionEntry(FunctionMetadata metadata, ScalarTypes types, KernelFactory kernels)
        implements FunctionEntry {
    /** Makes a new kernel for each caller: a kernel is owned by one thread. */
    @FunctionalInterface
    public interface KernelFactory {
        /** Empty where Hive's class computes the call. */
        Optional<ScalarFunction> of(ScalarCall call);
    }

    @Override
    public String nullabilityText() {
        return metadata.nullability().ofCall();
    }
}
