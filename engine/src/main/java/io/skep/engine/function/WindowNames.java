package io.skep.engine.function;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The functions that are available only with OVER, and their types. */
final class WindowNames {
    private static final Set<String> NAMES = Set.of(
            "row_number",
            "rank",
            "dense_rank",
            "percent_rank",
            "cume_dist",
            "ntile",
            "lead",
            "lag",
            "first_value",
            "last_value");

    private WindowNames() {}

    static boolean isWindowOnly(String name) {
        return NAMES.contains(name);
    }

    static AggregateSignature signature(String name, List<SqlType> types) {
        return switch (name) {
            case "row_number", "rank", "dense_rank" -> of(name, types, PrimitiveType.INT);
            case "percent_rank", "cume_dist" -> of(name, types, PrimitiveType.DOUBLE);
            case "ntile" -> {
                checkCount(name, types, 1, 1);
                yield of(name, List.of(PrimitiveType.INT), PrimitiveType.INT);
            }
            case "lead", "lag" -> shifted(name, types);
            default -> {
                checkCount(name, types, 1, 2);
                yield of(name, types, types.getFirst());
            }
        };
    }

    private static AggregateSignature shifted(String name, List<SqlType> types) {
        checkCount(name, types, 1, 3);
        List<SqlType> parameters = new ArrayList<>(types);
        if (types.size() > 1) {
            parameters.set(1, PrimitiveType.INT);
        }
        if (types.size() > 2) {
            parameters.set(2, types.getFirst());
        }
        return of(name, parameters, types.getFirst());
    }

    private static AggregateSignature of(String name, List<SqlType> parameters, SqlType type) {
        return new AggregateSignature(name, parameters, PrimitiveType.VOID, type);
    }

    private static void checkCount(String name, List<SqlType> types, int least, int most) {
        if (types.size() < least || types.size() > most) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT,
                    name + " takes " + (least == most ? "" + least : least + " to " + most) + " arguments, not "
                            + types.size());
        }
    }
}
