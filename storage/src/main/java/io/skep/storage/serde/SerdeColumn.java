package io.skep.storage.serde;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueWriter;
import io.skep.storage.table.Column;
import java.time.ZoneId;
import java.util.List;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorConverters;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.jspecify.annotations.Nullable;

/**
 * One column of a SerDe's rows. Values are converted when the SerDe returns another type than the table's, as CSV does.
 */
final class SerdeColumn {
    private final StructObjectInspector rows;
    private final @Nullable StructField field;
    private final VectorAppender appender;
    private final HiveValueWriter writer;
    private final ObjectInspectorConverters.@Nullable Converter converter;

    private SerdeColumn(StructObjectInspector rows, @Nullable StructField field, SqlType type, ZoneId zone) {
        this.rows = rows;
        this.field = field;
        this.appender = VectorAppender.of(type);
        ObjectInspector target = HiveTypes.inspector(type, zone);
        ObjectInspector given = field == null ? target : field.getFieldObjectInspector();
        boolean same = HiveTypes.type(given).equals(type);
        this.writer = HiveValueWriter.of(same ? given : target);
        this.converter = same ? null : ObjectInspectorConverters.getConverter(given, target);
    }

    /** @param wanted positions of columns of the table; the SerDe has its fields in the same order */
    static List<SerdeColumn> of(StructObjectInspector rows, List<Integer> wanted, List<Column> table, ZoneId zone) {
        List<? extends StructField> fields = rows.getAllStructFieldRefs();
        return wanted.stream()
                .map(ordinal -> new SerdeColumn(
                        rows,
                        ordinal < fields.size() ? fields.get(ordinal) : null,
                        table.get(ordinal).type(),
                        zone))
                .toList();
    }

    void append(@Nullable Object row) {
        Object value = row == null || field == null ? null : rows.getStructFieldData(row, field);
        writer.write(converter == null || value == null ? value : converter.convert(value), appender);
    }

    /** Returns the bytes of text since the last vector. */
    long textBytes() {
        return appender.textBytes();
    }

    Vector build() {
        return appender.build();
    }
}
