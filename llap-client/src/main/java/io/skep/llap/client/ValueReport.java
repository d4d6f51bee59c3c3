package io.skep.llap.client;

import java.util.Arrays;

/** What a task says of the values in columns of its output, in the engine's form. Immutable. */
public final class ValueReport {
    /** Of an output whose values nobody wants. */
    public static final ValueReport NONE = new ValueReport(new byte[0]);

    private final byte[] encoded;

    /** @param encoded not changed any more */
    public ValueReport(byte[] encoded) {
        this.encoded = encoded;
    }

    public boolean isEmpty() {
        return encoded.length == 0;
    }

    /** Not to be changed. */
    public byte[] encoded() {
        return encoded;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ValueReport report && Arrays.equals(encoded, report.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }

    @Override
    public String toString() {
        return "ValueReport of " + encoded.length + " bytes";
    }
}
