package io.skep.itests.fuzz;

import com.sun.management.ThreadMXBean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What holds for every input of a target: it is read, or refused with an error that is not internal, and what that allocates follows
 * the bytes that are there, never a length that they claim.
 */
final class FuzzContract implements AutoCloseable {
    /** What a small input may cost: buffers of formats' readers, plans of statements. */
    private static final long FREE_BYTES = 256L << 20;

    private static final long BYTES_A_BYTE = 64L << 10;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final InputReader reader;
    private final ExecutorService thread;

    FuzzContract(FuzzTarget target) {
        reader = target.open();
        thread = Executors.newSingleThreadExecutor(work -> {
            Thread one = new Thread(null, work, "fuzz", target.stackBytes());
            one.setDaemon(true);
            return one;
        });
    }

    /** Throws what breaks the contract. */
    void check(byte[] input) throws Throwable {
        try {
            thread.submit(() -> {
                        read(input);
                        return input;
                    })
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    /** What exceeds the bound is read once more: the first time may have loaded classes. */
    private void read(byte[] input) throws Exception {
        long limit = FREE_BYTES + BYTES_A_BYTE * input.length;
        if (allocatedBytes(input) > limit) {
            long allocated = allocatedBytes(input);
            if (allocated > limit) {
                throw new AssertionError(input.length + " bytes made the reader allocate " + (allocated >> 20) + " MB");
            }
        }
    }

    private long allocatedBytes(byte[] input) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            reader.read(input);
        } catch (SkepException e) {
            if (e.code() == StandardErrorCode.INTERNAL_ERROR) {
                throw e;
            }
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
