package io.skep.storage.orc;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.storage.table.Column;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.orc.TypeDescription;

/** Converts SQL types to ORC's types, and those of files to SQL types. */
final class OrcTypes {
    private OrcTypes() {}

    static TypeDescription struct(List<Column> columns) {
        TypeDescription struct = TypeDescription.createStruct();
        for (Column column : columns) {
            struct.addField(column.name(), of(column.type()));
        }
        return struct;
    }

    static TypeDescription of(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive -> primitive(primitive);
            case DecimalType decimal ->
                TypeDescription.createDecimal()
                        .withScale(0)
                        .withPrecision(decimal.precision())
                        .withScale(decimal.scale());
            case CharType text -> TypeDescription.createChar().withMaxLength(text.length());
            case VarcharType text -> TypeDescription.createVarchar().withMaxLength(text.length());
            case ArrayType array -> TypeDescription.createList(of(array.element()));
            case MapType map -> TypeDescription.createMap(of(map.key()), of(map.value()));
            case StructType struct -> {
                TypeDescription description = TypeDescription.createStruct();
                struct.fields().forEach(field -> description.addField(field.name(), of(field.type())));
                yield description;
            }
            case UnionType union -> {
                TypeDescription description = TypeDescription.createUnion();
                union.alternatives().forEach(alternative -> description.addUnionChild(of(alternative)));
                yield description;
            }
        };
    }

    /** Returns the columns of a file whose root is a struct. */
    static List<Column> columns(TypeDescription schema) {
        if (schema.getCategory() != TypeDescription.Category.STRUCT) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED,
                    "an ORC file whose rows are of type " + schema + " has no columns");
        }
        return fields(schema).stream()
                .map(field -> new Column(field.name().toLowerCase(Locale.ROOT), field.type()))
                .toList();
    }

    private static List<StructType.Field> fields(TypeDescription struct) {
        return IntStream.range(0, struct.getChildren().size())
                .mapToObj(i -> new StructType.Field(
                        struct.getFieldNames().get(i), of(struct.getChildren().get(i))))
                .toList();
    }

    private static SqlType of(TypeDescription type) {
        List<TypeDescription> children = type.getChildren();
        return switch (type.getCategory()) {
            case BOOLEAN -> PrimitiveType.BOOLEAN;
            case BYTE -> PrimitiveType.TINYINT;
            case SHORT -> PrimitiveType.SMALLINT;
            case INT -> PrimitiveType.INT;
            case LONG -> PrimitiveType.BIGINT;
            case FLOAT -> PrimitiveType.FLOAT;
            case DOUBLE -> PrimitiveType.DOUBLE;
            case STRING -> PrimitiveType.STRING;
            case BINARY -> PrimitiveType.BINARY;
            case DATE -> PrimitiveType.DATE;
            case TIMESTAMP -> PrimitiveType.TIMESTAMP;
            case TIMESTAMP_INSTANT -> PrimitiveType.TIMESTAMP_LOCAL_TZ;
            case DECIMAL -> new DecimalType(type.getPrecision(), type.getScale());
            case CHAR -> new CharType(type.getMaxLength());
            case VARCHAR -> new VarcharType(type.getMaxLength());
            case LIST -> new ArrayType(of(children.getFirst()));
            case MAP -> new MapType(of(children.getFirst()), of(children.getLast()));
            case STRUCT -> new StructType(fields(type));
            case UNION -> new UnionType(children.stream().map(OrcTypes::of).toList());
            case Geometry, Geography ->
                throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "Unhandled type " + type);
        };
    }

    private static TypeDescription primitive(PrimitiveType type) {
        return switch (type) {
            case BOOLEAN -> TypeDescription.createBoolean();
            case TINYINT -> TypeDescription.createByte();
            case SMALLINT -> TypeDescription.createShort();
            case INT -> TypeDescription.createInt();
            case BIGINT -> TypeDescription.createLong();
            case FLOAT -> TypeDescription.createFloat();
            case DOUBLE -> TypeDescription.createDouble();
            case STRING -> TypeDescription.createString();
            case BINARY -> TypeDescription.createBinary();
            case DATE -> TypeDescription.createDate();
            case TIMESTAMP -> TypeDescription.createTimestamp();
            case TIMESTAMP_LOCAL_TZ -> TypeDescription.createTimestampInstant();
            case VOID, INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME ->
                throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "ORC files cannot hold type " + type);
        };
    }
}
