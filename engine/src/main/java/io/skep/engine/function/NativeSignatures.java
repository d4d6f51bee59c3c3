package io.skep.engine.function;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.hive.HiveSession;
import io.skep.storage.serde.value.HiveTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/** The argument conversions that native kernels require. Hive's classes determine the result types. */
final class NativeSignatures {
    private final HiveSession session;

    NativeSignatures(HiveSession session) {
        this.session = session;
    }

    /**
     * Returns the types to which arguments must be cast so that a native kernel exists. They are the arguments' own
     * types if the class accepts them unchanged.
     */
    List<SqlType> parameterTypes(String name, List<Argument> arguments, SqlType result) {
        List<SqlType> types = arguments.stream().map(Argument::type).toList();
        return switch (name) {
            case "+", "-", "*", "/", "%", "mod", "pmod" -> types.size() == 2 ? arithmetic(types, result) : types;
            case "=", "==", "<=>", "is_not_distinct_from", "<>", "!=", "<", "<=", ">", ">=" ->
                types.size() == 2 ? comparison(types) : types;
            case "coalesce", "nvl" -> Collections.nCopies(types.size(), result);
            case "concat", "||" -> texts(types, result);
            case "if", "when" -> branches(types, result);
            case "substr",
                    "substring",
                    "mid",
                    "length",
                    "char_length",
                    "character_length",
                    "octet_length",
                    "like",
                    "levenshtein" ->
                types.stream().map(NativeSignatures::unbounded).toList();
            case "regexp_extract" ->
                types.stream().map(NativeSignatures::unbounded).toList();
            case "regexp", "rlike", "regexp_replace", "split" ->
                types.stream().map(NativeSignatures::plain).toList();
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

    /** Returns the decimal type that holds all values of an integer type. */
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

    private static List<SqlType> texts(List<SqlType> types, SqlType result) {
        return result == PrimitiveType.STRING && !types.contains(PrimitiveType.BINARY)
                ? Collections.nCopies(types.size(), result)
                : types;
    }

    /** Returns the type of unbounded text for VARCHAR, whose values are the same in both. */
    private static SqlType unbounded(SqlType type) {
        return type instanceof VarcharType ? PrimitiveType.STRING : type;
    }

    /** Returns the type of text without the blanks that pad a CHAR value. */
    private static SqlType plain(SqlType type) {
        return type instanceof CharType ? PrimitiveType.STRING : unbounded(type);
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
                || type instanceof VarcharType;
    }
}
