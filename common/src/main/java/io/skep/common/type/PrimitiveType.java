package io.skep.common.type;

/** The types without parameters. */
public enum PrimitiveType implements SqlType {
    VOID("void", VectorKind.LONG),
    BOOLEAN("boolean", VectorKind.LONG),
    TINYINT("tinyint", VectorKind.LONG),
    SMALLINT("smallint", VectorKind.LONG),
    INT("int", VectorKind.LONG),
    BIGINT("bigint", VectorKind.LONG),
    FLOAT("float", VectorKind.DOUBLE),
    DOUBLE("double", VectorKind.DOUBLE),
    STRING("string", VectorKind.BYTES),
    BINARY("binary", VectorKind.BYTES),
    DATE("date", VectorKind.LONG),
    TIMESTAMP("timestamp", VectorKind.TIMESTAMP),
    TIMESTAMP_LOCAL_TZ("timestamp with local time zone", VectorKind.TIMESTAMP),
    INTERVAL_YEAR_MONTH("interval_year_month", VectorKind.LONG),
    INTERVAL_DAY_TIME("interval_day_time", VectorKind.TIMESTAMP);

    private final String displayName;
    private final VectorKind vectorKind;

    PrimitiveType(String displayName, VectorKind vectorKind) {
        this.displayName = displayName;
        this.vectorKind = vectorKind;
    }

    @Override
    public String displayName() {
        return displayName;
    }

    @Override
    public VectorKind vectorKind() {
        return vectorKind;
    }

    @Override
    public String toString() {
        return displayName;
    }
}
