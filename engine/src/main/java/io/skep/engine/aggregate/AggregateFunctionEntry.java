package io.skep.engine.aggregate;

import io.skep.common.type.SqlType;
import io.skep.engine.function.entry.FunctionEntry;
import io.skep.engine.function.entry.FunctionMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A built-in aggregate function. It stands in the file of its accumulator, and in the list of
 * {@link BuiltInAggregateFunctions}. With OVER it is computed over the frame.
 *
 * @param types how the types of the arguments become those of the call
 * @param accumulators makes the accumulators of a call whose arguments were cast as {@code types} asks
 */
public record AggregateFunctionEntry(FunctionMetadata metadata, TypeRule types, AccumulatorRule accumulators)
        implements FunctionEntry {
    /**
     * The types of a call.
     *
     * @param parameters what each argument is cast to
     * @param state of what a partial step hands to a final one
     */
    public record Types(List<SqlType> parameters, SqlType state, SqlType result) {
        public Types {
            parameters = List.copyOf(parameters);
        }

        /** Of one argument, whose state is a result of some rows. */
        static Types of(SqlType parameter, SqlType result) {
            return new Types(List.of(parameter), result, result);
        }
    }

    /** How types of arguments become those of a call. */
    @FunctionalInterface
    public interface TypeRule {
        /**
         * Empty where Hive's class decides, or, for a function that Hive lacks, where it does not take the arguments.
         */
        Optional<Types> of(List<SqlType> arguments);

        /** A rule for one argument. */
        static TypeRule ofOne(TypeRule rule) {
            return arguments -> arguments.size() == 1 ? rule.of(arguments) : Optional.empty();
        }
    }

    /** How a call gets its accumulators. */
    @FunctionalInterface
    public interface AccumulatorRule {
        /**
         * Makes a new accumulator with each call; empty where Hive's class computes the aggregate.
         *
         * @param arguments their types
         * @param type of the result
         */
        Optional<Supplier<Accumulator>> of(List<SqlType> arguments, SqlType type);
    }

    @Override
    public String nullabilityText() {
        return metadata.nullability().ofGroup();
    }
}
