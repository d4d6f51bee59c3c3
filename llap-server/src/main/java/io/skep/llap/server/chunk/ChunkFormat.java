package io.skep.llap.server.chunk;

/** The constants of the format, which the package description defines. */
final class ChunkFormat {
    static final int HEADER_BYTES = 16;

    static final byte CONSTANT = 0;
    static final byte PACKED = 1;
    static final byte RUNS = 2;
    static final byte RAW = 3;
    static final byte FLOATS = 4;
    static final byte DICTIONARY = 5;
    static final byte PARTS = 6;
    static final byte VIEWS = 7;
    static final byte LANES = 8;

    static final byte NO_NULLS = 0;
    static final byte SOME_NULLS = 1;
    static final byte ALL_NULL = 2;

    /** Rows between two recorded starts of variable-length values. */
    static final int STRIDE = 1024;

    /** The widest packing that one unaligned 8-byte load can read. */
    static final int MAX_PACKED_BITS = 56;

    private ChunkFormat() {}
}
