package io.skep.common.memory;

/**
 * The buffers that a reader of a file holds. Small ones are counted together, in whole megabytes, in the
 * {@link ScratchMemory} of the thread that uses the reader. Owned by one thread at a time.
 */
public final class HeldBuffers implements AutoCloseable {
    private static final long STEP = 1 << 20;

    private long bytes;
    private long counted;

    /**
     * Adds a buffer before it is allocated.
     *
     * @throws io.skep.common.error.SkepException (MEMORY_LIMIT_EXCEEDED) when there is no room for it
     */
    public void add(long more) {
        count(bytes + more);
        bytes += more;
    }

    /** Removes a buffer that is not in use any more. */
    public void remove(long fewer) {
        bytes -= fewer;
        count(bytes);
    }

    private void count(long held) {
        long wanted = held / STEP * STEP;
        if (wanted > counted) {
            ScratchMemory.count(wanted - counted);
        } else if (wanted < counted) {
            ScratchMemory.discount(counted - wanted);
        }
        counted = wanted;
    }

    /** Returns the bytes of all buffers. */
    public long bytes() {
        return bytes;
    }

    /** Stops counting, because no thread uses the reader. The buffers stay. */
    public void park() {
        count(0);
    }

    /**
     * Counts the buffers again, for another thread.
     *
     * @throws io.skep.common.error.SkepException (MEMORY_LIMIT_EXCEEDED) when there is no room for them
     */
    public void resume() {
        count(bytes);
    }

    /** Removes all buffers. More may be added afterwards. */
    @Override
    public void close() {
        bytes = 0;
        count(0);
    }
}
