package io.skep.engine.aggregate;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.engine.function.entry.FunctionEntry;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.plan.WindowCall;
import java.util.List;
import java.util.function.Function;

/**
 * A function that exists only with OVER: ranking or navigation. It stands in the file of its kernel, and in the list of
 * {@link BuiltInWindowFunctions}.
 *
 * @param types how the types of the arguments become those of the call
 * @param framed whether it looks at the frame; when not, it sees the whole partition, whatever the frame says
 * @param kernels makes the kernel of a call whose arguments were cast as {@code types} asks
 */
public record WindowFunctionEntry(
        FunctionMetadata metadata, TypeRule types, boolean framed, Function<WindowCall, WindowFunction> kernels)
        implements FunctionEntry {
    /**
     * The types of a call.
     *
     * @param parameters what each argument is cast to
     */
    public record Types(List<SqlType> parameters, SqlType result) {
        public Types {
            parameters = List.copyOf(parameters);
        }
    }

    /** How types of arguments become those of a call. */
    @FunctionalInterface
    public interface TypeRule {
        /**
         * @param name of the function, for errors
         * @throws SkepException INVALID_ARGUMENT for a number of arguments that it does not take
         */
        Types of(String name, List<SqlType> arguments);

        /** A rule for a number of arguments between two bounds. */
        static TypeRule ofCount(int least, int most, Function<List<SqlType>, Types> rule) {
            return (name, arguments) -> {
                if (arguments.size() < least || arguments.size() > most) {
                    throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            name + " takes " + (least == most ? "" + least : least + " to " + most) + " arguments, not "
                                    + arguments.size());
                }
                return rule.apply(arguments);
            };
        }
    }

    @Override
    public String nullabilityText() {
        return metadata.nullability().ofGroup();
    }
}
