package io.skep.ql.rel;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Creates Calcite's types, with text in UTF-8 and complex types as {@link ComplexRelType}. */
public final class HiveTypeFactory extends SqlTypeFactoryImpl {
    public HiveTypeFactory() {
        super(new HiveTypeSystem());
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }

    @Override
    public RelDataType createTypeWithNullability(RelDataType type, boolean nullable) {
        if (type instanceof ComplexRelType complex) {
            return complex.isNullable() == nullable
                    ? complex
                    : canonize(new ComplexRelType(complex.sqlType(), nullable));
        }
        return super.createTypeWithNullability(type, nullable);
    }

    /** Returns the canonical object of a complex type. */
    RelDataType complexType(ComplexRelType type) {
        return canonize(type);
    }

    /**
     * Returns the common type of types that differ only in nullability. Hive's rules for mixed types are applied before
     * Calcite sees an expression, so no other cases are left.
     */
    @Override
    public @Nullable RelDataType leastRestrictive(List<RelDataType> types, SqlTypeMappingRule rule) {
        RelDataType first = types.getFirst();
        boolean nullable = false;
        for (RelDataType type : types) {
            if (!first.isStruct() && SqlTypeUtil.equalSansNullability(this, first, type)) {
                nullable |= type.isNullable();
            } else {
                return super.leastRestrictive(types, rule);
            }
        }
        return createTypeWithNullability(first, nullable);
    }
}
