package io.skep.ql.rel;

import java.util.function.Supplier;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.ReturnTypes;

/** Names of functions that the analyzer puts into plans itself. */
public final class HiveOperators {
    /**
     * Hive's conversion to the call's type. A value that does not convert gives null, so Calcite must not take it for its own
     * CAST, which is null only for null. The planner turns it into {@link io.skep.engine.plan.Expression.Cast}.
     */
    public static final String CAST = "$cast";

    /** A field of a struct: the struct (or an array of structs) and the field's position as a constant. */
    public static final String FIELD = "$field";

    /** An element of an array by position, or the value of a map's key. */
    public static final String INDEX = "index";

    private static final String IN_LIST = "$in";

    private HiveOperators() {}

    static HiveFunction cast(RelDataType type) {
        return new HiveFunction(CAST, type, true);
    }

    /** Whether a value is in a list that is left open or a {@link ConstantList}; null for null. It is in no plan that runs. */
    static SqlFunction inList(RelDataType type) {
        return new SqlFunction(
                IN_LIST,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.explicit(type),
                null,
                null,
                SqlFunctionCategory.USER_DEFINED_FUNCTION) {
            @Override
            public Supplier<Strong.Policy> getStrongPolicyInference() {
                return () -> Strong.Policy.ANY;
            }
        };
    }

    public static boolean isInList(RexCall call) {
        return call.getOperator().getName().equals(IN_LIST);
    }

    static HiveFunction field(RelDataType type) {
        return new HiveFunction(FIELD, type, true);
    }
}
