package io.skep.ql.rel;

import java.util.function.Supplier;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.ReturnTypes;

/** Names of functions that the analyzer itself adds to plans. */
public final class HiveOperators {
    /**
     * Hive's conversion to the call's type. A value that cannot be converted becomes null. Therefore Calcite must not
     * treat it as its own CAST, which is null only for null. The planner turns it into
     * {@link io.skep.engine.plan.Expression.Cast}.
     */
    public static final String CAST = "$cast";

    /**
     * Access to a field of a struct. The operands are the struct (or an array of structs) and the field's position as a
     * constant.
     */
    public static final String FIELD = "$field";

    /** Access to an element of an array by position, or to a map's value by key. */
    public static final String INDEX = "index";

    private static final String IN_LIST = "$in";

    private HiveOperators() {}

    static HiveFunction cast(RelDataType type) {
        return new HiveFunction(CAST, type, true);
    }

    /**
     * Tests whether a value is in a list that is a plan parameter or a {@link ConstantList}. Null for null. It never
     * occurs in a plan that runs.
     */
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
