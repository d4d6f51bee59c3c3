package io.skep.llap.server.cache;

/** Why a requested chunk is not in the cache. */
public enum MissCause {
    /** Nothing is remembered of it: it was never requested, or very long ago. */
    COLD("never seen"),
    /** It was cached and has been evicted. */
    EVICTED("evicted"),
    /**
     * It was read when the cache was full and had not been missed shortly before, so it was passed on without being
     * stored.
     */
    NOT_ADMITTED("not admitted"),
    /** Another version of its file was read before. */
    FILE_CHANGED("file changed"),
    /**
     * It is larger than eight slabs, or larger than an eighth of the cache (but at least one slab), or larger than any
     * chunk can be.
     */
    TOO_LARGE("too large"),
    /** Its file had changed shortly before it was read, so that it could not be distinguished from the next version. */
    NOT_SETTLED("file just changed"),
    /** There was no room: the cache has no memory, or everything in it was pinned. */
    NO_MEMORY("no memory"),
    /** It was cached, but its bytes differed from those that had been stored. */
    DAMAGED("damaged");

    private final String text;

    MissCause(String text) {
        this.text = text;
    }

    /** A short description for people. */
    public String text() {
        return text;
    }
}
