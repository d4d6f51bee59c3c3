package io.skep.ql.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.HashMap;
import java.util.Map;

/**
 * Accounts for what a session keeps between its statements (settings, variables, macros, temporary tables), as an
 * estimate of its heap bytes. The sum is limited for each session, and for all sessions of a server together.
 * Thread-safe.
 */
public final class SessionMemory {
    /** The limit of one session. */
    static final long MAX_BYTES = 8L << 20;

    /**
     * This part of each session does not count towards the shared limit. So a session can always keep settings of a
     * usual size, whatever the others keep.
     */
    static final long OWN_BYTES = 16 << 10;

    private static final long ENTRY_BYTES = 128;
    private static final int HEAP_SHARE = 16;

    private final Shared shared;

    @GuardedBy("this")
    private final Map<String, Long> kept = new HashMap<>();

    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private boolean closed;

    public SessionMemory(Shared shared) {
        this.shared = shared;
    }

    /** The account that all sessions of a server share. */
    public static final class Shared {
        private final long mostBytes;

        @GuardedBy("this")
        private long bytes;

        public Shared(long mostBytes) {
            this.mostBytes = mostBytes;
        }

        /** Creates an account of a sixteenth of the heap. */
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
     * Counts an object that is kept from this call on. It replaces the object that had this name.
     *
     * @throws SkepException MEMORY_LIMIT_EXCEEDED; the former object of this name is still counted then
     */
    public synchronized void keep(String name, long size) {
        long before = kept.getOrDefault(name, 0L);
        long more = name.length() + size + ENTRY_BYTES - before;
        if (more > 0 && bytes + more > MAX_BYTES) {
            throw full("a session can keep " + MAX_BYTES
                    + " bytes of settings, variables, macros, prepared queries and temporary tables, and has " + bytes);
        }
        if (closed || !shared.take(shared(bytes + more) - shared(bytes))) {
            throw full("the sessions of this server keep as many settings, variables, macros, prepared queries and"
                    + " temporary tables as they may together");
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

    /** Stops counting the object of this name. */
    public synchronized void forget(String name) {
        Long size = kept.remove(name);
        if (size != null) {
            shared.take(shared(bytes - size) - shared(bytes));
            bytes -= size;
        }
    }

    /** Ends the account together with the session. It counts nothing, and refuses anything more. */
    public synchronized void close() {
        closed = true;
        kept.clear();
        shared.take(-shared(bytes));
        bytes = 0;
    }
}
