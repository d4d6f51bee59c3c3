package io.skep.storage.serde;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.storage.table.TableFormat;

/** Maps types to those that Avro files support. Avro's smallest integer type is int. */
final class AvroTypes {
    private AvroTypes() {}

    /** Returns the type in which a column's values are passed to a table's SerDe. */
    static SqlType written(SqlType type, TableFormat format) {
        return format.serde().endsWith(".AvroSerDe") ? widened(type) : type;
    }

    private static SqlType widened(SqlType type) {
        return switch (type) {
            case PrimitiveType small
            when small == PrimitiveType.TINYINT || small == PrimitiveType.SMALLINT -> PrimitiveType.INT;
            case PrimitiveType other -> other;
            case DecimalType decimal -> decimal;
            case CharType text -> text;
            case VarcharType text -> text;
            case ArrayType array -> new ArrayType(widened(array.element()));
            case MapType map -> new MapType(widened(map.key()), widened(map.value()));
            case StructType struct ->
                new StructType(struct.fields().stream()
                        .map(field -> new StructType.Field(field.name(), widened(field.type())))
                        .toList());
            case UnionType union ->
                new UnionType(
                        union.alternatives().stream().map(AvroTypes::widened).toList());
        };
    }
}
