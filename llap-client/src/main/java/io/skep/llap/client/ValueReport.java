package io.skep.llap.client;

import java.util.Arrays;

/** A task's report of the values in columns of its output, in the engine's encoding. Immutable. */
public final class ValueReport {
    /** The report for an output whose values no consumer needs. */
    public static final ValueReport NONE = new ValueReport(new byte[0]);

    private final byte[] encoded;

    /** @param encoded must not be changed afterwards */
    public ValueReport(byte[] encoded) {
        this.encoded = encoded;
    }

    public boolean isEmpty() {
        return encoded.length == 0;
    }

    /** Returns the encoded report, which must not be changed. */
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
