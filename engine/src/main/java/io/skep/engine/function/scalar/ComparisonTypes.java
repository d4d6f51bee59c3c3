package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.storage.serde.value.HiveTypes;
import java.time.ZoneId;
import java.util.List;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/** The types of the comparison operators: both sides are cast to one type, as Hive does. */
final class ComparisonTypes {
    private ComparisonTypes() {}

    static ScalarTypes of() {
        return ScalarTypes.when(ComparisonTypes::areComparable, PrimitiveType.BOOLEAN)
                .withParameters(
                        (arguments, result, zone) -> arguments.size() == 2 ? parameters(arguments, zone) : arguments);
    }

    /** Whether the types are compared without a conversion. */
    private static boolean areComparable(List<SqlType> types) {
        return types.size() == 2
                && types.get(0).equals(types.get(1))
                && types.get(0) != PrimitiveType.VOID
                && switch (types.get(0).vectorKind()) {
                    case LONG, DOUBLE, BYTES, DECIMAL128, TIMESTAMP -> true;
                    case LIST, MAP, STRUCT, UNION -> false;
                };
    }

    private static List<SqlType> parameters(List<SqlType> types, ZoneId zone) {
        if (types.get(0).equals(types.get(1))) {
            return types;
        }
        TypeInfo common = FunctionRegistry.getCommonClassForComparison(
                HiveTypes.typeInfo(types.get(0), zone), HiveTypes.typeInfo(types.get(1), zone));
        if (common == null) {
            return types;
        }
        SqlType type = HiveTypes.type(common);
        return List.of(type, type);
    }
}
