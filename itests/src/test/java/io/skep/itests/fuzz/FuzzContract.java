package io.skep.itests.fuzz;

import com.sun.management.ThreadMXBean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The contract for every input of a target. The input is read, or rejected with an error that is not internal. The
 * memory that this allocates depends on the actual number of bytes, never on a length that the input claims.
 */
final class FuzzContract implements AutoCloseable {
    /** The allocation that a small input may cause: buffers of format readers, plans of statements. */
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

    /** Checks an input. Throws if it breaks the contract. */
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

    /** Reads an input that exceeds the bound a second time, because the first read may have loaded classes. */
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
