package io.skep.ql.rel;

import io.skep.common.type.DecimalType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Hive's type limits: decimals up to 38 digits, timestamps with nanoseconds, text of unlimited length. */
public final class HiveTypeSystem extends RelDataTypeSystemImpl {
    private static final int NANOSECONDS = 9;

    @Override
    public int getMaxPrecision(SqlTypeName typeName) {
        return switch (typeName) {
            case DECIMAL -> DecimalType.MAX_PRECISION;
            case VARCHAR, VARBINARY, CHAR, BINARY -> Integer.MAX_VALUE;
            case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> NANOSECONDS;
            default -> super.getMaxPrecision(typeName);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName typeName) {
        return typeName == SqlTypeName.DECIMAL ? DecimalType.MAX_PRECISION : super.getMaxScale(typeName);
    }

    @Override
    public int getDefaultPrecision(SqlTypeName typeName) {
        return switch (typeName) {
            case VARCHAR, VARBINARY -> Integer.MAX_VALUE;
            case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> NANOSECONDS;
            default -> super.getDefaultPrecision(typeName);
        };
    }

    @Override
    public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
        RelDataType sum = switch (argument.getSqlTypeName()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
            case DECIMAL ->
                factory.createSqlType(
                        SqlTypeName.DECIMAL,
                        Math.min(DecimalType.MAX_PRECISION, argument.getPrecision() + 10),
                        argument.getScale());
            default -> factory.createSqlType(SqlTypeName.DOUBLE);
        };
        return factory.createTypeWithNullability(sum, argument.isNullable());
    }

    @Override
    public boolean isSchemaCaseSensitive() {
        return false;
    }
}
