package io.skep.common.type;

/** Text of at most {@code length} characters (code points), 1 to 255. */
public record CharType(int length) implements SqlType {
    public static final int MAX_LENGTH = 255;

    public CharType {
        if (length < 1 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("char(" + length + ") is not a type: length is 1 to " + MAX_LENGTH);
        }
    }

    @Override
    public String displayName() {
        return "char(" + length + ")";
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
