package io.skep.engine.function;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionCatalog.ScalarSignature;
import io.skep.engine.function.hive.HiveSession;
import io.skep.engine.function.scalar.NativeFunctions;
import io.skep.storage.serde.value.HiveTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * Signatures of functions that Hive has no class for, and the conversions that native kernels want of arguments. Result types
 * of all other functions are asked of Hive's classes.
 */
final class NativeSignatures {
    private final HiveSession session;

    NativeSignatures(HiveSession session) {
        this.session = session;
    }

    boolean isScalar(String name) {
        return name.equals(NativeFunctions.FIELD);
    }

    /** Empty where Hive's class is to be asked. */
    Optional<ScalarSignature> scalar(String name, List<Argument> arguments) {
        if (!name.equals(NativeFunctions.FIELD)) {
            return Optional.empty();
        }
        SqlType owner = arguments.getFirst().type();
        SqlType owned = owner instanceof ArrayType array ? array.element() : owner;
        if (!(owned instanceof StructType struct)) {
            throw new SkepException(StandardErrorCode.TYPE_MISMATCH, "a value of type " + owner + " has no fields");
        }
        String field = arguments.get(1).constant().orElseThrow().toString();
        SqlType type = struct.fields().stream()
                .filter(candidate -> candidate.name().equalsIgnoreCase(field))
                .findFirst()
                .orElseThrow(() ->
                        new SkepException(StandardErrorCode.COLUMN_NOT_FOUND, "no field '" + field + "' in " + struct))
                .type();
        SqlType result = owner instanceof ArrayType ? new ArrayType(type) : type;
        return Optional.of(new ScalarSignature(name, List.of(owner, PrimitiveType.STRING), result, true));
    }

    /** What arguments are to be cast to, so that a native kernel exists; their own types where the class takes them as they are. */
    List<SqlType> parameterTypes(String name, List<Argument> arguments, SqlType result) {
        List<SqlType> types = arguments.stream().map(Argument::type).toList();
        return switch (name) {
            case "+", "-", "*", "/", "%", "mod", "pmod" -> types.size() == 2 ? arithmetic(types, result) : types;
            case "=", "==", "<=>", "is_not_distinct_from", "<>", "!=", "<", "<=", ">", ">=" ->
                types.size() == 2 ? comparison(types) : types;
            case "coalesce", "nvl", "greatest", "least" -> Collections.nCopies(types.size(), result);
            case "if", "when" -> branches(types, result);
            default -> types;
        };
    }

    private static List<SqlType> arithmetic(List<SqlType> types, SqlType result) {
        List<SqlType> parameters = new ArrayList<>();
        for (SqlType type : types) {
            SqlType parameter = switch (result) {
                case DecimalType decimal -> exact(type);
                case PrimitiveType primitive when isNumber(primitive) && isNumberOrText(type) -> primitive;
                default -> type;
            };
            parameters.add(parameter);
        }
        return parameters;
    }

    /** The decimal type that holds all values of an integer type. */
    static SqlType exact(SqlType type) {
        return switch (type) {
            case PrimitiveType.TINYINT -> new DecimalType(3, 0);
            case PrimitiveType.SMALLINT -> new DecimalType(5, 0);
            case PrimitiveType.INT -> new DecimalType(10, 0);
            case PrimitiveType.BIGINT -> new DecimalType(19, 0);
            default -> type;
        };
    }

    private List<SqlType> comparison(List<SqlType> types) {
        if (types.get(0).equals(types.get(1))) {
            return types;
        }
        TypeInfo common = org.apache.hadoop.hive.ql.exec.FunctionRegistry.getCommonClassForComparison(
                HiveTypes.typeInfo(types.get(0), session.zone()), HiveTypes.typeInfo(types.get(1), session.zone()));
        if (common == null) {
            return types;
        }
        SqlType type = HiveTypes.type(common);
        return List.of(type, type);
    }

    private static List<SqlType> branches(List<SqlType> types, SqlType result) {
        List<SqlType> parameters = new ArrayList<>(types);
        for (int i = 0; i < types.size(); i++) {
            if (i % 2 == 1 || i == types.size() - 1) {
                parameters.set(i, result);
            }
        }
        return parameters;
    }

    private static boolean isNumber(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive ->
                switch (primitive) {
                    case TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE -> true;
                    default -> false;
                };
            default -> false;
        };
    }

    private static boolean isNumberOrText(SqlType type) {
        return isNumber(type)
                || type == PrimitiveType.STRING
                || type == PrimitiveType.VOID
                || type instanceof DecimalType
                || type instanceof CharType
                || type instanceof io.skep.common.type.VarcharType;
    }
}
