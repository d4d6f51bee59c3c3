package io.skep.ql.rel;

import io.skep.common.type.SqlType;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.util.Optionality;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate, ranking or navigation function of the registry. Its types are fixed when it is resolved. COUNT, SUM,
 * MIN, MAX and AVG have their Calcite kinds, so that Calcite's rules recognize them.
 */
public final class HiveAggFunction extends SqlAggFunction {
    private final transient AggregateSignature signature;
    private final transient RelDataType type;

    /** @param type the result type, {@code signature.type()} as a Calcite type */
    public HiveAggFunction(AggregateSignature signature, RelDataType type) {
        super(
                signature.function(),
                null,
                kindOf(signature.function()),
                ReturnTypes.explicit(type),
                null,
                null,
                SqlFunctionCategory.USER_DEFINED_FUNCTION,
                false,
                false,
                Optionality.FORBIDDEN);
        this.signature = signature;
        this.type = type;
    }

    private static SqlKind kindOf(String function) {
        return switch (function) {
            case "count" -> SqlKind.COUNT;
            case "sum" -> SqlKind.SUM;
            case "min" -> SqlKind.MIN;
            case "max" -> SqlKind.MAX;
            case "avg" -> SqlKind.AVG;
            case "row_number" -> SqlKind.ROW_NUMBER;
            case "rank" -> SqlKind.RANK;
            case "dense_rank" -> SqlKind.DENSE_RANK;
            default -> SqlKind.OTHER_FUNCTION;
        };
    }

    /** Returns the resolved signature: parameter types, type of the partial state, result type. */
    public AggregateSignature signature() {
        return signature;
    }

    public SqlType stateType() {
        return signature.stateType();
    }

    public List<SqlType> parameterTypes() {
        return signature.parameterTypes();
    }

    @Override
    public boolean allowsFilter() {
        return true;
    }

    /** Null for functions whose results do not determine those of larger groups. */
    @Override
    public @Nullable SqlAggFunction getRollup() {
        return switch (getKind()) {
            case SUM, MIN, MAX -> new RollupFunction(this, type);
            default -> null;
        };
    }

    /** DISTINCT does not change the result of MIN and MAX. */
    @Override
    public Optionality getDistinctOptionality() {
        return switch (getKind()) {
            case MIN, MAX -> Optionality.IGNORED;
            default -> Optionality.OPTIONAL;
        };
    }
}
