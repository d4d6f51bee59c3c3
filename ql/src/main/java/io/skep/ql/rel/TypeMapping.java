package io.skep.ql.rel;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Converts Skep's types to Calcite's and back, without loss. Hive's types have no NOT NULL, so everything is nullable.
 */
public final class TypeMapping {
    private final HiveTypeFactory factory;

    public TypeMapping(HiveTypeFactory factory) {
        this.factory = factory;
    }

    public RelDataType toRel(SqlType type) {
        return factory.createTypeWithNullability(notNull(type), true);
    }

    /** Returns the type of a value that is never null, such as a constant or a count. */
    public RelDataType notNull(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive -> primitive(primitive);
            case DecimalType decimal ->
                factory.createSqlType(SqlTypeName.DECIMAL, decimal.precision(), decimal.scale());
            case CharType text -> factory.createSqlType(SqlTypeName.CHAR, text.length());
            case VarcharType text -> factory.createSqlType(SqlTypeName.VARCHAR, text.length());
            case ArrayType complex -> factory.complexType(new ComplexRelType(complex, false));
            case MapType complex -> factory.complexType(new ComplexRelType(complex, false));
            case StructType complex -> factory.complexType(new ComplexRelType(complex, false));
            case UnionType complex -> factory.complexType(new ComplexRelType(complex, false));
        };
    }

    /** Returns the row type of columns. */
    public RelDataType rowType(List<String> names, List<SqlType> types) {
        List<RelDataType> relTypes = new ArrayList<>(types.size());
        types.forEach(type -> relTypes.add(toRel(type)));
        return factory.createStructType(relTypes, names);
    }

    private RelDataType primitive(PrimitiveType type) {
        return switch (type) {
            case VOID -> factory.createSqlType(SqlTypeName.NULL);
            case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
            case TINYINT -> factory.createSqlType(SqlTypeName.TINYINT);
            case SMALLINT -> factory.createSqlType(SqlTypeName.SMALLINT);
            case INT -> factory.createSqlType(SqlTypeName.INTEGER);
            case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
            case FLOAT -> factory.createSqlType(SqlTypeName.REAL);
            case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
            case STRING -> factory.createSqlType(SqlTypeName.VARCHAR, Integer.MAX_VALUE);
            case BINARY -> factory.createSqlType(SqlTypeName.VARBINARY, Integer.MAX_VALUE);
            case DATE -> factory.createSqlType(SqlTypeName.DATE);
            case TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP, 9);
            case TIMESTAMP_LOCAL_TZ -> factory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 9);
            case INTERVAL_YEAR_MONTH -> factory.createSqlIntervalType(interval(type));
            case INTERVAL_DAY_TIME -> factory.createSqlIntervalType(interval(type));
        };
    }

    /** Returns Calcite's name for one of Hive's two interval types. */
    static SqlIntervalQualifier interval(PrimitiveType type) {
        return type == PrimitiveType.INTERVAL_YEAR_MONTH
                ? new SqlIntervalQualifier(TimeUnit.YEAR, TimeUnit.MONTH, SqlParserPos.ZERO)
                : new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, SqlParserPos.ZERO);
    }

    /**
     * Converts a Calcite type. The type of a Calcite text literal has the literal's length. An empty text gets a length
     * that Hive supports.
     *
     * @throws IllegalArgumentException for a type that neither {@link #toRel} nor a literal creates
     */
    public static SqlType toSql(RelDataType type) {
        if (type instanceof ComplexRelType complex) {
            return complex.sqlType();
        }
        return switch (type.getSqlTypeName()) {
            case NULL -> PrimitiveType.VOID;
            case BOOLEAN -> PrimitiveType.BOOLEAN;
            case TINYINT -> PrimitiveType.TINYINT;
            case SMALLINT -> PrimitiveType.SMALLINT;
            case INTEGER -> PrimitiveType.INT;
            case BIGINT -> PrimitiveType.BIGINT;
            case REAL -> PrimitiveType.FLOAT;
            case FLOAT, DOUBLE -> PrimitiveType.DOUBLE;
            case DECIMAL -> new DecimalType(type.getPrecision(), type.getScale());
            case CHAR -> new CharType(Math.clamp(type.getPrecision(), 1, CharType.MAX_LENGTH));
            case VARCHAR -> text(type.getPrecision());
            case BINARY, VARBINARY -> PrimitiveType.BINARY;
            case DATE -> PrimitiveType.DATE;
            case TIMESTAMP -> PrimitiveType.TIMESTAMP;
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> PrimitiveType.TIMESTAMP_LOCAL_TZ;
            case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> PrimitiveType.INTERVAL_YEAR_MONTH;
            case INTERVAL_DAY,
                    INTERVAL_DAY_HOUR,
                    INTERVAL_DAY_MINUTE,
                    INTERVAL_DAY_SECOND,
                    INTERVAL_HOUR,
                    INTERVAL_HOUR_MINUTE,
                    INTERVAL_HOUR_SECOND,
                    INTERVAL_MINUTE,
                    INTERVAL_MINUTE_SECOND,
                    INTERVAL_SECOND -> PrimitiveType.INTERVAL_DAY_TIME;
            default -> throw new IllegalArgumentException("no type of Hive for " + type);
        };
    }

    private static SqlType text(int length) {
        return length == RelDataType.PRECISION_NOT_SPECIFIED || length > VarcharType.MAX_LENGTH
                ? PrimitiveType.STRING
                : new VarcharType(Math.max(1, length));
    }

    /** Returns the types of a row's columns. */
    public static List<SqlType> columnTypes(RelDataType rowType) {
        List<SqlType> types = new ArrayList<>(rowType.getFieldCount());
        for (RelDataTypeField field : rowType.getFieldList()) {
            types.add(toSql(field.getType()));
        }
        return types;
    }
}
