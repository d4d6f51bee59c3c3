package org.apache.hadoop.hive.llap;

import io.skep.mapred.LlapRow;
import io.skep.mapred.RowSchema;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row with the getters of Hive's class, for programs that were written for it. */
public final class Row extends LlapRow {
    public Row(RowSchema schema) {
        super(schema);
    }

    public @Nullable Object getValue(int column) {
        return value(column);
    }

    public @Nullable Object getValue(String column) {
        return value(column);
    }

    public @Nullable Boolean getBoolean(int column) {
        return (Boolean) value(column);
    }

    public @Nullable Boolean getBoolean(String column) {
        return (Boolean) value(column);
    }

    public @Nullable Byte getByte(int column) {
        return (Byte) value(column);
    }

    public @Nullable Byte getByte(String column) {
        return (Byte) value(column);
    }

    public @Nullable Short getShort(int column) {
        return (Short) value(column);
    }

    public @Nullable Short getShort(String column) {
        return (Short) value(column);
    }

    public @Nullable Integer getInt(int column) {
        return (Integer) value(column);
    }

    public @Nullable Integer getInt(String column) {
        return (Integer) value(column);
    }

    public @Nullable Long getLong(int column) {
        return (Long) value(column);
    }

    public @Nullable Long getLong(String column) {
        return (Long) value(column);
    }

    public @Nullable Float getFloat(int column) {
        return (Float) value(column);
    }

    public @Nullable Float getFloat(String column) {
        return (Float) value(column);
    }

    public @Nullable Double getDouble(int column) {
        return (Double) value(column);
    }

    public @Nullable Double getDouble(String column) {
        return (Double) value(column);
    }

    public @Nullable String getString(int column) {
        return (String) value(column);
    }

    public @Nullable String getString(String column) {
        return (String) value(column);
    }

    public @Nullable Date getDate(int column) {
        return (Date) value(column);
    }

    public @Nullable Date getDate(String column) {
        return (Date) value(column);
    }

    public @Nullable Timestamp getTimestamp(int column) {
        return (Timestamp) value(column);
    }

    public @Nullable Timestamp getTimestamp(String column) {
        return (Timestamp) value(column);
    }

    public byte @Nullable [] getBytes(int column) {
        return (byte[]) value(column);
    }

    public byte @Nullable [] getBytes(String column) {
        return (byte[]) value(column);
    }

    public @Nullable BigDecimal getDecimal(int column) {
        return (BigDecimal) value(column);
    }

    public @Nullable BigDecimal getDecimal(String column) {
        return (BigDecimal) value(column);
    }

    public @Nullable List<?> getList(int column) {
        return (List<?>) value(column);
    }

    public @Nullable List<?> getList(String column) {
        return (List<?>) value(column);
    }

    public @Nullable Map<?, ?> getMap(int column) {
        return (Map<?, ?>) value(column);
    }

    public @Nullable Map<?, ?> getMap(String column) {
        return (Map<?, ?>) value(column);
    }

    public @Nullable List<?> getStruct(int column) {
        return (List<?>) value(column);
    }

    public @Nullable List<?> getStruct(String column) {
        return (List<?>) value(column);
    }

    public RowSchema getSchema() {
        return schema();
    }
}
