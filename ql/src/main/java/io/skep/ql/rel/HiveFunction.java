package io.skep.ql.rel;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.ReturnTypes;

/**
 * A function of the registry as a Calcite operator. Its name is the one for the plan, and its type is fixed. Calcite
 * has no other information about it and therefore rewrites nothing inside.
 */
public final class HiveFunction extends SqlFunction {
    private final boolean deterministic;

    public HiveFunction(String name, RelDataType type, boolean deterministic) {
        super(
                name,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.explicit(type),
                null,
                null,
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.deterministic = deterministic;
    }

    @Override
    public boolean isDeterministic() {
        return deterministic;
    }
}
