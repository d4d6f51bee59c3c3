package io.skep.ql.rel;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.util.Optionality;

/**
 * The aggregate that combines results of a {@link HiveAggFunction} to results for larger groups: SUM, MIN or MAX of
 * them. Its type is that of the results. The planner resolves the function by the type of its argument, and casts.
 */
final class RollupFunction extends SqlAggFunction {
    RollupFunction(HiveAggFunction function, RelDataType type) {
        super(
                function.getName(),
                null,
                function.getKind(),
                ReturnTypes.explicit(type),
                null,
                null,
                SqlFunctionCategory.USER_DEFINED_FUNCTION,
                false,
                false,
                Optionality.FORBIDDEN);
    }

    @Override
    public SqlAggFunction getRollup() {
        return this;
    }
}
