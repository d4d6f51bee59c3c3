package io.skep.common.vector;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.ScratchMemory;

/**
 * The limit for the text of a vector, in bytes. It is a part of the heap, since the text is made before it could be
 * accounted for. Text that exceeds the limit is refused with an error, so the process does not run out of memory.
 */
public final class TextLimit {
    private static final int SHARE_OF_HEAP = 4;
    private static final long LEAST = 32L << 20;
    private static final long MOST = Integer.MAX_VALUE - 64;

    /** The limit for the text of a vector. */
    public static final long MAX_BYTES = Math.clamp(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, LEAST, MOST);

    private TextLimit() {}

    /**
     * Returns a longer copy of the array, with room for the needed bytes.
     *
     * @throws SkepException MEMORY_LIMIT_EXCEEDED when that would exceed the limit of a vector or of the thread's
     *     {@link ScratchMemory}
     */
    public static byte[] grow(byte[] data, long needed) {
        if (needed > MAX_BYTES) {
            throw exceeded("the text of " + needed + " bytes");
        }
        return ScratchMemory.copyOf(data, (int) Math.max(needed, Math.min(2L * data.length, MAX_BYTES)));
    }

    /** Returns the error for text that is too long. */
    public static SkepException exceeded(String what) {
        return new SkepException(
                        StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                        what + " does not fit into the " + MAX_BYTES + " bytes that one batch of rows may have")
                .withHint("make the values shorter, or give the process a larger heap");
    }
}
