package io.skep.service.wire;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultSchema.ResultColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hive.service.rpc.thrift.TColumnDesc;
import org.apache.hive.service.rpc.thrift.TPrimitiveTypeEntry;
import org.apache.hive.service.rpc.thrift.TTableSchema;
import org.apache.hive.service.rpc.thrift.TTypeDesc;
import org.apache.hive.service.rpc.thrift.TTypeEntry;
import org.apache.hive.service.rpc.thrift.TTypeId;
import org.apache.hive.service.rpc.thrift.TTypeQualifierValue;
import org.apache.hive.service.rpc.thrift.TTypeQualifiers;

/** Converts types and schemas to the protocol's form. */
final class WireTypes {
    private WireTypes() {}

    static TTableSchema schema(ResultSchema schema) {
        List<TColumnDesc> columns = new ArrayList<>();
        for (ResultColumn column : schema.columns()) {
            TColumnDesc described = new TColumnDesc(column.name(), type(column.type()), columns.size() + 1);
            described.setComment(column.comment());
            columns.add(described);
        }
        return new TTableSchema(columns);
    }

    static TTypeDesc type(SqlType type) {
        TPrimitiveTypeEntry entry = new TPrimitiveTypeEntry(typeId(type));
        Map<String, TTypeQualifierValue> qualifiers = new HashMap<>();
        switch (type) {
            case DecimalType decimal -> {
                qualifiers.put("precision", TTypeQualifierValue.i32Value(decimal.precision()));
                qualifiers.put("scale", TTypeQualifierValue.i32Value(decimal.scale()));
            }
            case CharType text -> qualifiers.put("characterMaximumLength", TTypeQualifierValue.i32Value(text.length()));
            case VarcharType text ->
                qualifiers.put("characterMaximumLength", TTypeQualifierValue.i32Value(text.length()));
            case PrimitiveType t -> {}
            case ArrayType t -> {}
            case MapType t -> {}
            case StructType t -> {}
            case UnionType t -> {}
        }
        if (!qualifiers.isEmpty()) {
            entry.setTypeQualifiers(new TTypeQualifiers(qualifiers));
        }
        return new TTypeDesc(List.of(TTypeEntry.primitiveEntry(entry)));
    }

    static TTypeId typeId(SqlType type) {
        return switch (type) {
            case DecimalType t -> TTypeId.DECIMAL_TYPE;
            case CharType t -> TTypeId.CHAR_TYPE;
            case VarcharType t -> TTypeId.VARCHAR_TYPE;
            case ArrayType t -> TTypeId.ARRAY_TYPE;
            case MapType t -> TTypeId.MAP_TYPE;
            case StructType t -> TTypeId.STRUCT_TYPE;
            case UnionType t -> TTypeId.UNION_TYPE;
            case PrimitiveType primitive -> typeId(primitive);
        };
    }

    private static TTypeId typeId(PrimitiveType type) {
        return switch (type) {
            case VOID -> TTypeId.NULL_TYPE;
            case BOOLEAN -> TTypeId.BOOLEAN_TYPE;
            case TINYINT -> TTypeId.TINYINT_TYPE;
            case SMALLINT -> TTypeId.SMALLINT_TYPE;
            case INT -> TTypeId.INT_TYPE;
            case BIGINT -> TTypeId.BIGINT_TYPE;
            case FLOAT -> TTypeId.FLOAT_TYPE;
            case DOUBLE -> TTypeId.DOUBLE_TYPE;
            case STRING -> TTypeId.STRING_TYPE;
            case BINARY -> TTypeId.BINARY_TYPE;
            case DATE -> TTypeId.DATE_TYPE;
            case TIMESTAMP -> TTypeId.TIMESTAMP_TYPE;
            case TIMESTAMP_LOCAL_TZ -> TTypeId.TIMESTAMPLOCALTZ_TYPE;
            case INTERVAL_YEAR_MONTH -> TTypeId.INTERVAL_YEAR_MONTH_TYPE;
            case INTERVAL_DAY_TIME -> TTypeId.INTERVAL_DAY_TIME_TYPE;
        };
    }
}
