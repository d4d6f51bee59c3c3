package io.skep.storage.serde.value;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.TypeParser;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.serde2.objectinspector.ListObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.MapObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.UnionObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** Converts Skep's types to Hive's type descriptors and object inspectors, and back. */
public final class HiveTypes {
    private HiveTypes() {}

    /** @param zone the session's time zone, which Hive's type of instants contains */
    public static TypeInfo typeInfo(SqlType type, ZoneId zone) {
        return switch (type) {
            case PrimitiveType primitive -> primitive(primitive, zone);
            case DecimalType decimal -> TypeInfoFactory.getDecimalTypeInfo(decimal.precision(), decimal.scale());
            case CharType text -> TypeInfoFactory.getCharTypeInfo(text.length());
            case VarcharType text -> TypeInfoFactory.getVarcharTypeInfo(text.length());
            case ArrayType array -> TypeInfoFactory.getListTypeInfo(typeInfo(array.element(), zone));
            case MapType map -> TypeInfoFactory.getMapTypeInfo(typeInfo(map.key(), zone), typeInfo(map.value(), zone));
            case StructType struct -> struct(struct, zone);
            case UnionType union ->
                TypeInfoFactory.getUnionTypeInfo(union.alternatives().stream()
                        .map(alternative -> typeInfo(alternative, zone))
                        .toList());
        };
    }

    /**
     * Returns the inspector of values that {@link HiveValueReader} returns: writables, and lists and maps of writables.
     */
    public static ObjectInspector inspector(SqlType type, ZoneId zone) {
        return TypeInfoUtils.getStandardWritableObjectInspectorFromTypeInfo(typeInfo(type, zone));
    }

    public static SqlType type(ObjectInspector inspector) {
        return switch (inspector.getCategory()) {
            case PRIMITIVE -> primitive(((PrimitiveObjectInspector) inspector).getTypeInfo());
            case LIST -> new ArrayType(type(((ListObjectInspector) inspector).getListElementObjectInspector()));
            case MAP -> {
                MapObjectInspector map = (MapObjectInspector) inspector;
                yield new MapType(type(map.getMapKeyObjectInspector()), type(map.getMapValueObjectInspector()));
            }
            case STRUCT -> new StructType(fields((StructObjectInspector) inspector));
            case UNION ->
                new UnionType(((UnionObjectInspector) inspector)
                        .getObjectInspectors().stream().map(HiveTypes::type).toList());
            default -> throw new IllegalStateException("Hive gives a value of category " + inspector.getCategory());
        };
    }

    public static SqlType type(TypeInfo info) {
        return type(TypeInfoUtils.getStandardWritableObjectInspectorFromTypeInfo(info));
    }

    private static List<StructType.Field> fields(StructObjectInspector inspector) {
        List<StructType.Field> fields = new ArrayList<>();
        for (StructField field : inspector.getAllStructFieldRefs()) {
            fields.add(new StructType.Field(field.getFieldName(), type(field.getFieldObjectInspector())));
        }
        return fields;
    }

    private static SqlType primitive(PrimitiveTypeInfo info) {
        return switch (info.getPrimitiveCategory()) {
            case TIMESTAMPLOCALTZ -> PrimitiveType.TIMESTAMP_LOCAL_TZ;
            case UNKNOWN -> throw new IllegalStateException("Hive gives a value of an unknown type");
            default -> TypeParser.parse(info.getTypeName());
        };
    }

    private static TypeInfo struct(StructType struct, ZoneId zone) {
        List<String> names = new ArrayList<>();
        List<TypeInfo> types = new ArrayList<>();
        for (StructType.Field field : struct.fields()) {
            names.add(field.name());
            types.add(typeInfo(field.type(), zone));
        }
        return TypeInfoFactory.getStructTypeInfo(names, types);
    }

    private static TypeInfo primitive(PrimitiveType type, ZoneId zone) {
        return switch (type) {
            case VOID -> TypeInfoFactory.voidTypeInfo;
            case BOOLEAN -> TypeInfoFactory.booleanTypeInfo;
            case TINYINT -> TypeInfoFactory.byteTypeInfo;
            case SMALLINT -> TypeInfoFactory.shortTypeInfo;
            case INT -> TypeInfoFactory.intTypeInfo;
            case BIGINT -> TypeInfoFactory.longTypeInfo;
            case FLOAT -> TypeInfoFactory.floatTypeInfo;
            case DOUBLE -> TypeInfoFactory.doubleTypeInfo;
            case STRING -> TypeInfoFactory.stringTypeInfo;
            case BINARY -> TypeInfoFactory.binaryTypeInfo;
            case DATE -> TypeInfoFactory.dateTypeInfo;
            case TIMESTAMP -> TypeInfoFactory.timestampTypeInfo;
            case TIMESTAMP_LOCAL_TZ -> TypeInfoFactory.getTimestampTZTypeInfo(zone);
            case INTERVAL_YEAR_MONTH -> TypeInfoFactory.intervalYearMonthTypeInfo;
            case INTERVAL_DAY_TIME -> TypeInfoFactory.intervalDayTimeTypeInfo;
        };
    }
}
