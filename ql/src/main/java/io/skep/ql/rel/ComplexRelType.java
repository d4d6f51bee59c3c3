package io.skep.ql.rel;

import io.skep.common.type.SqlType;
import org.apache.calcite.rel.type.RelDataTypeFamily;
import org.apache.calcite.sql.type.AbstractSqlType;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * An array, map, struct or union as an opaque Calcite type. Only functions use the contents of such values, and
 * functions get their types from Hive.
 */
public final class ComplexRelType extends AbstractSqlType {
    private static final long serialVersionUID = 1L;

    private final transient SqlType sqlType;

    public ComplexRelType(SqlType sqlType, boolean nullable) {
        super(SqlTypeName.OTHER, nullable, null);
        this.sqlType = sqlType;
        computeDigest();
    }

    public SqlType sqlType() {
        return sqlType;
    }

    @Override
    public RelDataTypeFamily getFamily() {
        return this;
    }

    @Override
    protected void generateTypeString(StringBuilder text, boolean withDetail) {
        text.append(sqlType.displayName());
    }
}
