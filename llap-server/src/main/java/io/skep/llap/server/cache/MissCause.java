package io.skep.llap.server.cache;

/** Why a chunk that was asked for is not in the cache. */
public enum MissCause {
    /** Nothing is remembered of it: never asked for, or very long ago. */
    COLD("never seen"),
    /** It was here and had to go. */
    EVICTED("evicted"),
    /** It was read when the cache was full and had not been missed shortly before, so it was passed on without being kept. */
    NOT_ADMITTED("not admitted"),
    /** Another version of its file was read before. */
    FILE_CHANGED("file changed"),
    /** It is larger than eight slabs or, down to a single slab, than an eighth of the cache; or than any chunk can be. */
    TOO_LARGE("too large"),
    /** Its file had been changed a moment before it was read, so that it could not be told from the next version. */
    NOT_SETTLED("file just changed"),
    /** There was no place: the cache has no memory, or everything in it was being read. */
    NO_MEMORY("no memory"),
    /** It was here, and its bytes were not those that had been put in. */
    DAMAGED("damaged");

    private final String text;

    MissCause(String text) {
        this.text = text;
    }

    /** A few words for people. */
    public String text() {
        return text;
    }
}
