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
        PlanProto.OutputValues.Builder out = PlanProto.OutputValues.newBuilder();
        columns.forEach((column, values) -> out.addColumns(writeColumn(column, values)));
        return out.build().toByteArray();
    }

    private static PlanProto.ColumnValues writeColumn(int column, ColumnValues values) {
        PlanProto.ColumnValues.Builder out = PlanProto.ColumnValues.newBuilder().setColumn(column);
        values.few().ifPresent(few -> out.setValues(DatumCodec.writeAll(few)));
        return out.build();
    }

    /** @throws SkepException DAMAGED_MESSAGE if the bytes are damaged */
    public static Map<Integer, ColumnValues> decode(byte[] bytes) {
        return Messages.read(PlanProto.OutputValues.parser(), bytes, values -> {
            Map<Integer, ColumnValues> columns = new HashMap<>();
            values.getColumnsList().forEach(column -> columns.put(column.getColumn(), readColumn(column)));
            return columns;
        });
    }

    private static ColumnValues readColumn(PlanProto.ColumnValues column) {
        return column.hasValues()
                ? ColumnValues.of(new HashSet<>(DatumCodec.readAll(column.getValues())))
                : ColumnValues.ANY;
    }

    public static byte[] encodeList(List<Datum> values) {
        return DatumCodec.writeAll(values).toByteArray();
    }

    /** @throws SkepException DAMAGED_MESSAGE if the bytes are damaged */
    public static List<Datum> decodeList(byte[] bytes) {
        return Messages.read(PlanProto.Datums.parser(), bytes, DatumCodec::readAll);
    }
}
