package io.skep.service.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.hive.service.rpc.thrift.TBoolValue;
import org.apache.hive.service.rpc.thrift.TByteValue;
import org.apache.hive.service.rpc.thrift.TColumn;
import org.apache.hive.service.rpc.thrift.TColumnValue;
import org.apache.hive.service.rpc.thrift.TDoubleValue;
import org.apache.hive.service.rpc.thrift.TI16Value;
import org.apache.hive.service.rpc.thrift.TI32Value;
import org.apache.hive.service.rpc.thrift.TI64Value;
import org.apache.hive.service.rpc.thrift.TRow;
import org.apache.hive.service.rpc.thrift.TRowSet;
import org.apache.hive.service.rpc.thrift.TStringValue;
import org.jspecify.annotations.Nullable;

/** Encodes pages by row, for clients older than protocol V6. A value without content is null. */
final class RowBasedResultSet {
    private RowBasedResultSet() {}

    static TRowSet of(long offset, List<TColumn> columns) {
        List<List<TColumnValue>> rows = new ArrayList<>();
        for (TColumn column : columns) {
            List<TColumnValue> values = values(column);
            for (int i = 0; i < values.size(); i++) {
                if (rows.size() <= i) {
                    rows.add(new ArrayList<>());
                }
                rows.get(i).add(values.get(i));
            }
        }
        return new TRowSet(offset, rows.stream().map(TRow::new).toList());
    }

    private static List<TColumnValue> values(TColumn column) {
        return switch (column.getSetField()) {
            case BOOL_VAL ->
                values(column.getBoolVal().getValues(), column.getBoolVal().getNulls(), RowBasedResultSet::bool);
            case BYTE_VAL ->
                values(column.getByteVal().getValues(), column.getByteVal().getNulls(), RowBasedResultSet::tiny);
            case I16_VAL ->
                values(column.getI16Val().getValues(), column.getI16Val().getNulls(), RowBasedResultSet::small);
            case I32_VAL ->
                values(column.getI32Val().getValues(), column.getI32Val().getNulls(), RowBasedResultSet::integer);
            case I64_VAL ->
                values(column.getI64Val().getValues(), column.getI64Val().getNulls(), RowBasedResultSet::big);
            case DOUBLE_VAL ->
                values(column.getDoubleVal().getValues(), column.getDoubleVal().getNulls(), RowBasedResultSet::real);
            case STRING_VAL ->
                values(column.getStringVal().getValues(), column.getStringVal().getNulls(), RowBasedResultSet::text);
            case BINARY_VAL ->
                values(column.getBinaryVal().getValues(), column.getBinaryVal().getNulls(), RowBasedResultSet::binary);
        };
    }

    private static <T> List<TColumnValue> values(
            @Nullable List<T> values, byte[] nulls, Function<@Nullable T, TColumnValue> form) {
        List<TColumnValue> all = new ArrayList<>();
        for (T value : Objects.requireNonNull(values)) {
            int row = all.size();
            boolean isNull = row / 8 < nulls.length && (nulls[row / 8] & (1 << (row % 8))) != 0;
            all.add(form.apply(isNull ? null : value));
        }
        return all;
    }

    private static TColumnValue bool(@Nullable Boolean value) {
        TBoolValue wire = new TBoolValue();
        if (value != null) {
            wire.setValue(value);
        }
        return TColumnValue.boolVal(wire);
    }

    private static TColumnValue tiny(@Nullable Byte value) {
        TByteValue wire = new TByteValue();
        if (value != null) {
            wire.setValue(value);
        }
        return TColumnValue.byteVal(wire);
    }

    private static TColumnValue small(@Nullable Short value) {
        TI16Value wire = new TI16Value();
        if (value != null) {
            wire.setValue(value);
        }
        return TColumnValue.i16Val(wire);
    }

    private static TColumnValue integer(@Nullable Integer value) {
        TI32Value wire = new TI32Value();
        if (value != null) {
            wire.setValue(value);
        }
        return TColumnValue.i32Val(wire);
    }

    private static TColumnValue big(@Nullable Long value) {
        TI64Value wire = new TI64Value();
        if (value != null) {
            wire.setValue(value);
        }
        return TColumnValue.i64Val(wire);
    }

    private static TColumnValue real(@Nullable Double value) {
        TDoubleValue wire = new TDoubleValue();
        if (value != null) {
            wire.setValue(value);
        }
        return TColumnValue.doubleVal(wire);
    }

    private static TColumnValue text(@Nullable String value) {
        TStringValue wire = new TStringValue();
        if (value != null) {
            wire.setValue(value);
        }
        return TColumnValue.stringVal(wire);
    }

    private static TColumnValue binary(@Nullable ByteBuffer value) {
        return text(
                value == null
                        ? null
                        : StandardCharsets.UTF_8.decode(value.duplicate()).toString());
    }
}
