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
import org.apache.orc.TypeDescription;

/** Converts SQL types to ORC's types. */
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
