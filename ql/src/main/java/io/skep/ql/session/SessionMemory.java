package io.skep.ql.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.HashMap;
import java.util.Map;

/**
 * What a session keeps between its statements (settings, variables, macros, temporary tables), by about how many bytes of heap
 * it takes. Bounded for each session, and for all sessions of a server together. Thread-safe.
 */
public final class SessionMemory {
    /** Of one session. */
    static final long MAX_BYTES = 8L << 20;

    /** So much of each session is not counted among what all keep: settings of a usual size are there however much others keep. */
    static final long OWN_BYTES = 16 << 10;

    private static final long ENTRY_BYTES = 128;
    private static final int HEAP_SHARE = 16;

    private final Shared shared;
    private final Map<String, Long> kept = new HashMap<>();
    private long bytes;
    private boolean closed;

    public SessionMemory(Shared shared) {
        this.shared = shared;
    }

    /** What all sessions of a server keep together. */
    public static final class Shared {
        private final long mostBytes;
        private long bytes;

        public Shared(long mostBytes) {
            this.mostBytes = mostBytes;
        }

        /** A sixteenth of the heap. */
        static Shared ofHeap() {
            return new Shared(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        }

        public synchronized long bytes() {
            return bytes;
        }

        private synchronized boolean take(long more) {
            if (more > 0 && bytes + more > mostBytes) {
                return false;
            }
            bytes += more;
            return true;
        }
    }

    /**
     * Counts something that is kept from now on, in the place of what had this name.
     *
     * @throws SkepException MEMORY_LIMIT_EXCEEDED, when what had the name is still counted
     */
    public synchronized void keep(String name, long size) {
        long before = kept.getOrDefault(name, 0L);
        long more = name.length() + size + ENTRY_BYTES - before;
        if (more > 0 && bytes + more > MAX_BYTES) {
            throw full("a session can keep " + MAX_BYTES
                    + " bytes of settings, variables, macros and temporary tables, and has " + bytes);
        }
        if (closed || !shared.take(shared(bytes + more) - shared(bytes))) {
            throw full(
                    "the sessions of this server keep as many settings, variables, macros and temporary tables as they"
                            + " may together");
        }
        bytes += more;
        kept.put(name, before + more);
    }

    private static long shared(long bytes) {
        return Math.max(0, bytes - OWN_BYTES);
    }

    private static SkepException full(String what) {
        return new SkepException(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, what)
                .withHint("drop or reset what is no longer needed, or close sessions");
    }

    /** What has this name is kept no longer. */
    public synchronized void forget(String name) {
        Long size = kept.remove(name);
        if (size != null) {
            shared.take(shared(bytes - size) - shared(bytes));
            bytes -= size;
        }
    }

    /** The session has ended: it keeps nothing, and cannot keep anything more. */
    public synchronized void close() {
        closed = true;
        kept.clear();
        shared.take(-shared(bytes));
        bytes = 0;
    }
}
