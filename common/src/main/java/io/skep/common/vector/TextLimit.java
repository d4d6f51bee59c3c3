package io.skep.common.vector;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.ScratchMemory;

/**
 * How many bytes the text of a vector may have: a part of the heap, since it is made before anybody could account for it. Text that
 * is made and does not fit is refused with an error, instead of taking the process down.
 */
public final class TextLimit {
    private static final int SHARE_OF_HEAP = 4;
    private static final long LEAST = 32L << 20;
    private static final long MOST = Integer.MAX_VALUE - 64;

    /** Of the text of a vector. */
    public static final long MAX_BYTES = Math.clamp(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, LEAST, MOST);

    private TextLimit() {}

    /**
     * The array, made longer so that it takes more.
     *
     * @throws SkepException MEMORY_LIMIT_EXCEEDED when that would be too much, for a vector or for the thread's {@link ScratchMemory}
     */
    public static byte[] grown(byte[] data, long needed) {
        if (needed > MAX_BYTES) {
            throw exceeded("the text of " + needed + " bytes");
        }
        return ScratchMemory.copyOf(data, (int) Math.max(needed, Math.min(2L * data.length, MAX_BYTES)));
    }

    /** The error about text that is too long. */
    public static SkepException exceeded(String what) {
        return new SkepException(
                        StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                        what + " does not fit into the " + MAX_BYTES + " bytes that one batch of rows may have")
                .withHint("make the values shorter, or give the process a larger heap");
    }
}
