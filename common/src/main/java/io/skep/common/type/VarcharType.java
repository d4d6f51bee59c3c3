package io.skep.common.type;

/** Text of at most {@code length} characters (code points), 1 to 65535. */
public record VarcharType(int length) implements SqlType {
    public static final int MAX_LENGTH = 65535;

    public VarcharType {
        if (length < 1 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("varchar(" + length + ") is not a type: length is 1 to " + MAX_LENGTH);
        }
    }

    @Override
    public String displayName() {
        return "varchar(" + length + ")";
    }

    @Override
    public VectorKind vectorKind() {
        return VectorKind.BYTES;
    }

    @Override
    public String toString() {
        return displayName();
    }
}
