package io.skep.engine.function.scalar;

import io.skep.common.type.CharType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * How the types of arguments become the types of a call. Rules of functions that Hive has cover the most common types,
 * so that ordinary queries need not load all of Hive's function classes. A test checks these rules against Hive's
 * class.
 */
public record ScalarTypes(ResultRule result, ParameterRule parameters) {
    /** The type of the result. */
    @FunctionalInterface
    public interface ResultRule {
        /** Returns empty if Hive's class decides, or if a function that Hive lacks does not accept the arguments. */
        Optional<SqlType> of(List<SqlType> arguments);
    }

    /** The types to which arguments are cast before the call, so that a kernel exists. */
    @FunctionalInterface
    public interface ParameterRule {
        /** @param zone of the session: one of Hive's types has it in its name */
        List<SqlType> of(List<SqlType> arguments, SqlType result, ZoneId zone);
    }

    private static final ParameterRule AS_THEY_ARE = (arguments, result, zone) -> arguments;

    /** Hive's class decides, and accepts its arguments unchanged. */
    static ScalarTypes ofHive() {
        return new ScalarTypes(arguments -> Optional.empty(), AS_THEY_ARE);
    }

    /** One result type for the arguments that are known here; Hive's class decides for all others. */
    static ScalarTypes when(Predicate<List<SqlType>> known, SqlType result) {
        return new ScalarTypes(
                arguments -> known.test(arguments) ? Optional.of(result) : Optional.empty(), AS_THEY_ARE);
    }

    /** The types of a function that Hive lacks: these parameters, and arguments whose values they all hold. */
    static ScalarTypes of(SqlType result, SqlType... parameters) {
        List<SqlType> wanted = List.of(parameters);
        return new ScalarTypes(
                arguments -> Conversions.accepts(wanted, arguments) ? Optional.of(result) : Optional.empty(),
                (arguments, type, zone) -> wanted);
    }

    ScalarTypes withParameters(ParameterRule rule) {
        return new ScalarTypes(result, rule);
    }

    /** Each argument is cast by itself. */
    ScalarTypes withEach(UnaryOperator<SqlType> cast) {
        return withParameters(
                (arguments, type, zone) -> arguments.stream().map(cast).toList());
    }

    /** Accepts a number of arguments between two bounds, all of type STRING. */
    static Predicate<List<SqlType>> strings(int least, int most) {
        return types -> types.size() >= least
                && types.size() <= most
                && types.stream().allMatch(type -> type == PrimitiveType.STRING);
    }

    /** Returns the type of unbounded text for VARCHAR, whose values are the same in both. */
    static SqlType unbounded(SqlType type) {
        return type instanceof VarcharType ? PrimitiveType.STRING : type;
    }

    /** Returns the type of text without the blanks that pad a CHAR value. */
    static SqlType plain(SqlType type) {
        return type instanceof CharType ? PrimitiveType.STRING : unbounded(type);
    }
}
