package io.skep.engine.plan.codec;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Datum;
import io.skep.engine.filter.ColumnValues;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Encodes the values of columns of a task's output, and plain lists of values, as bytes. */
public final class ColumnValuesCodec {
    private ColumnValuesCodec() {}

    /** @param columns by number */
    public static byte[] encode(Map<Integer, ColumnValues> columns) {
        return new MessageWriter()
                .messages(1, List.copyOf(columns.entrySet()), ColumnValuesCodec::writeColumn)
                .toByteArray();
    }

    private static void writeColumn(MessageWriter out, Map.Entry<Integer, ColumnValues> column) {
        out.integer(1, column.getKey());
        column.getValue().few().ifPresent(values -> out.message(2, List.copyOf(values), DatumCodec::writeAll));
    }

    /** @throws SkepException DAMAGED_MESSAGE if the bytes are damaged */
    public static Map<Integer, ColumnValues> decode(byte[] bytes) {
        Map<Integer, ColumnValues> columns = new HashMap<>();
        for (Map.Entry<Integer, ColumnValues> column :
                MessageReader.read(bytes, in -> in.messages(1, ColumnValuesCodec::readColumn))) {
            columns.put(column.getKey(), column.getValue());
        }
        return columns;
    }

    private static Map.Entry<Integer, ColumnValues> readColumn(MessageReader in) {
        ColumnValues values = in.optionalMessage(2, DatumCodec::readAll)
                .map(few -> ColumnValues.of(new HashSet<>(few)))
                .orElse(ColumnValues.ANY);
        return Map.entry(in.number(1), values);
    }

    public static byte[] encodeList(List<Datum> values) {
        MessageWriter out = new MessageWriter();
        DatumCodec.writeAll(out, values);
        return out.toByteArray();
    }

    /** @throws SkepException DAMAGED_MESSAGE if the bytes are damaged */
    public static List<Datum> decodeList(byte[] bytes) {
        return MessageReader.read(bytes, DatumCodec::readAll);
    }
}
