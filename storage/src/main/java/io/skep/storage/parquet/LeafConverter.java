package io.skep.storage.parquet;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.type.VectorKind;
import io.skep.common.vector.VectorAppender;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import org.apache.hadoop.hive.common.type.CalendarUtils;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Appends the values of one leaf of a file to a vector of the requested type. Values are widened, rescaled or
 * truncated. A value that the requested type cannot hold becomes null. The constructor rejects types without a
 * conversion.
 */
final class LeafConverter extends PrimitiveConverter {
    /** 1582-10-15, the first day of the Gregorian calendar. */
    private static final int GREGORIAN_START = -141_427;

    private static final int JULIAN_EPOCH = 2_440_588;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final SqlType type;
    private final FileZones zones;
    private final VectorAppender out;
    private final LogicalTypeAnnotation.@Nullable TimeUnit unit;
    private final boolean adjustedToUtc;
    private final boolean unsignedInt;
    private final int fileScale;
    private final int filePrecision;
    private final boolean isDate;
    private final boolean isInt96;

    LeafConverter(org.apache.parquet.schema.PrimitiveType leaf, SqlType type, FileZones zones, VectorAppender out) {
        LogicalTypeAnnotation annotation = leaf.getLogicalTypeAnnotation();
        this.type = type;
        this.zones = zones;
        this.out = out;
        this.unit = annotation instanceof TimestampLogicalTypeAnnotation t ? t.getUnit() : null;
        this.adjustedToUtc = annotation instanceof TimestampLogicalTypeAnnotation t && t.isAdjustedToUTC();
        this.unsignedInt = annotation instanceof IntLogicalTypeAnnotation i && !i.isSigned() && i.getBitWidth() == 32;
        this.fileScale = annotation instanceof DecimalLogicalTypeAnnotation d ? d.getScale() : -1;
        this.filePrecision = annotation instanceof DecimalLogicalTypeAnnotation d ? d.getPrecision() : -1;
        this.isDate = annotation instanceof DateLogicalTypeAnnotation;
        this.isInt96 = leaf.getPrimitiveTypeName() == PrimitiveTypeName.INT96;
        LeafTypes.check(leaf, type);
    }

    @Override
    public void addInt(int value) {
        if (isDate) {
            day(value);
        } else {
            whole(unsignedInt ? value & 0xFFFFFFFFL : value);
        }
    }

    private void day(int value) {
        int day = zones.prolepticDates() || value >= GREGORIAN_START
                ? value
                : CalendarUtils.convertDateToProleptic(value);
        switch (type) {
            case PrimitiveType t when t == PrimitiveType.TIMESTAMP -> out.appendTimestamp(day * 86_400L, 0);
            case PrimitiveType t when t == PrimitiveType.DATE -> out.appendLong(day);
            default -> text(LocalDate.ofEpochDay(day).toString());
        }
    }

    @Override
    public void addLong(long value) {
        if (unit == null) {
            whole(value);
            return;
        }
        long perSecond = switch (unit) {
            case MILLIS -> 1000L;
            case MICROS -> 1_000_000L;
            case NANOS -> NANOS_PER_SECOND;
        };
        long seconds = Math.floorDiv(value, perSecond);
        int nanos = (int) (Math.floorMod(value, perSecond) * (NANOS_PER_SECOND / perSecond));
        timestamp(seconds, nanos, adjustedToUtc ? zones.server() : FileZones.UTC);
    }

    /** @param from the zone whose wall clock shows the instant for a timestamp without zone */
    private void timestamp(long seconds, int nanos, ZoneId from) {
        boolean instant = type == PrimitiveType.TIMESTAMP_LOCAL_TZ;
        long shown = instant ? seconds : seconds + FileZones.offsetSeconds(from, seconds);
        switch (type) {
            case PrimitiveType t when t == PrimitiveType.DATE -> out.appendLong(Math.floorDiv(shown, 86_400L));
            case PrimitiveType t
            when t == PrimitiveType.TIMESTAMP || t == PrimitiveType.TIMESTAMP_LOCAL_TZ ->
                out.appendTimestamp(shown, nanos);
            default -> text(Timestamp.ofEpochSecond(shown, nanos).toString());
        }
    }

    private void whole(long value) {
        if (fileScale > 0) {
            decimal(BigDecimal.valueOf(value, fileScale));
            return;
        }
        switch (type) {
            case PrimitiveType t -> whole(value, t);
            case DecimalType d
            when d.isShort() && d.scale() == fileScale && d.precision() >= filePrecision -> out.appendLong(value);
            case DecimalType d -> decimal(BigDecimal.valueOf(value));
            default -> text(Long.toString(value));
        }
    }

    @SuppressWarnings("UnnecessaryLongToIntConversion") // checks what narrowing keeps
    private void whole(long value, PrimitiveType wanted) {
        switch (wanted) {
            case BOOLEAN -> out.appendLong(value == 0 ? 0 : 1);
            case TINYINT -> narrow(value, (byte) value);
            case SMALLINT -> narrow(value, (short) value);
            case INT, DATE -> narrow(value, (int) value);
            case BIGINT -> out.appendLong(value);
            case FLOAT -> out.appendDouble((float) value);
            case DOUBLE -> out.appendDouble((double) value);
            default -> text(Long.toString(value));
        }
    }

    private void narrow(long value, long narrowed) {
        if (value == narrowed) {
            out.appendLong(value);
        } else {
            out.appendNull();
        }
    }

    private void decimal(BigDecimal value) {
        switch (type) {
            case DecimalType d -> {
                BigInteger unscaled =
                        value.setScale(d.scale(), RoundingMode.HALF_UP).unscaledValue();
                if (new BigDecimal(unscaled).precision() > d.precision()) {
                    out.appendNull();
                } else if (d.isShort()) {
                    out.appendLong(unscaled.longValue());
                } else {
                    out.appendDecimal128(unscaled.shiftRight(64).longValue(), unscaled.longValue());
                }
            }
            case PrimitiveType t
            when t == PrimitiveType.DOUBLE || t == PrimitiveType.FLOAT ->
                out.appendDouble(t == PrimitiveType.FLOAT ? value.floatValue() : value.doubleValue());
            case PrimitiveType t when t.vectorKind() == VectorKind.LONG -> exact(value, t);
            default -> text(value.stripTrailingZeros().toPlainString());
        }
    }

    /** Appends null when the value has a fraction. */
    private void exact(BigDecimal value, PrimitiveType wanted) {
        if (value.stripTrailingZeros().scale() <= 0 && value.toBigInteger().bitLength() < Long.SIZE) {
            whole(value.longValue(), wanted);
        } else {
            out.appendNull();
        }
    }

    @Override
    public void addBoolean(boolean value) {
        if (type == PrimitiveType.BOOLEAN) {
            out.appendLong(value ? 1 : 0);
        } else {
            text(Boolean.toString(value));
        }
    }

    @Override
    public void addFloat(float value) {
        if (type == PrimitiveType.FLOAT || type == PrimitiveType.DOUBLE) {
            out.appendDouble(value);
        } else {
            floating(value, Float.toString(value));
        }
    }

    @Override
    public void addDouble(double value) {
        switch (type) {
            case PrimitiveType t when t == PrimitiveType.DOUBLE -> out.appendDouble(value);
            case PrimitiveType t when t == PrimitiveType.FLOAT -> out.appendDouble((float) value);
            default -> floating(value, Double.toString(value));
        }
    }

    private void floating(double value, String shown) {
        boolean number = type instanceof DecimalType || type.vectorKind() == VectorKind.LONG;
        if (number && Double.isFinite(value)) {
            decimal(new BigDecimal(shown));
        } else if (number) {
            out.appendNull();
        } else {
            text(shown);
        }
    }

    @Override
    public void addBinary(Binary value) {
        if (isInt96) {
            int96(value.getBytes());
            return;
        }
        // The library copies the value from its page.
        long passing = 2L * value.length();
        ScratchMemory.count(passing);
        switch (type) {
            case DecimalType d -> decimal(new BigDecimal(new BigInteger(value.getBytes()), Math.max(0, fileScale)));
            case CharType c when fileScale < 0 -> text(value.toStringUsingUTF8());
            default -> bytes(value);
        }
        ScratchMemory.discount(passing);
    }

    private void bytes(Binary value) {
        if (fileScale >= 0) {
            decimal(new BigDecimal(new BigInteger(value.getBytes()), fileScale));
        } else if (type instanceof VarcharType varchar && value.length() > varchar.length()) {
            text(value.toStringUsingUTF8());
        } else {
            byte[] bytes = value.getBytesUnsafe();
            out.appendBytes(bytes, 0, bytes.length);
        }
    }

    /** The value consists of eight bytes of nanoseconds in the day and four of the Julian day, little-endian. */
    private void int96(byte[] bytes) {
        long nanos = 0;
        for (int i = 7; i >= 0; i--) {
            nanos = nanos << 8 | bytes[i] & 0xFF;
        }
        int day = bytes[11] << 24 | (bytes[10] & 0xFF) << 16 | (bytes[9] & 0xFF) << 8 | bytes[8] & 0xFF;
        long seconds = (day - (long) JULIAN_EPOCH) * 86_400 + Math.floorDiv(nanos, NANOS_PER_SECOND);
        timestamp(seconds, (int) Math.floorMod(nanos, NANOS_PER_SECOND), zones.int96());
    }

    private void text(String text) {
        int most = switch (type) {
            case CharType c -> c.length();
            case VarcharType v -> v.length();
            default -> Integer.MAX_VALUE;
        };
        String cut = text.codePointCount(0, text.length()) > most
                ? text.substring(0, text.offsetByCodePoints(0, most))
                : text;
        String kept = type instanceof CharType ? cut.replaceFirst(" +$", "") : cut;
        byte[] bytes = kept.getBytes(StandardCharsets.UTF_8);
        out.appendBytes(bytes, 0, bytes.length);
    }
}
