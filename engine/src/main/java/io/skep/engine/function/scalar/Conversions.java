package io.skep.engine.function.scalar;

import io.skep.common.type.CharType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import java.util.List;

/** The conversions that a call of a function that Hive lacks may need: only those that keep every value. */
final class Conversions {
    private static final List<PrimitiveType> INTEGERS =
            List.of(PrimitiveType.TINYINT, PrimitiveType.SMALLINT, PrimitiveType.INT, PrimitiveType.BIGINT);

    private Conversions() {}

    /** Whether each argument can be cast to its parameter. */
    static boolean accepts(List<SqlType> parameters, List<SqlType> arguments) {
        if (parameters.size() != arguments.size()) {
            return false;
        }
        for (int i = 0; i < parameters.size(); i++) {
            if (!accepts(parameters.get(i), arguments.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean accepts(SqlType parameter, SqlType argument) {
        return argument.equals(parameter)
                || argument == PrimitiveType.VOID
                || parameter == PrimitiveType.STRING && isBoundedText(argument)
                || isNarrower(argument, parameter);
    }

    private static boolean isBoundedText(SqlType type) {
        return type instanceof CharType || type instanceof VarcharType;
    }

    private static boolean isNarrower(SqlType argument, SqlType parameter) {
        int from = argument instanceof PrimitiveType type ? INTEGERS.indexOf(type) : -1;
        int to = parameter instanceof PrimitiveType type ? INTEGERS.indexOf(type) : -1;
        return from >= 0 && from < to;
    }
}
