package io.skep.storage.serde.container;

import java.io.IOException;
import java.util.Arrays;

/**
 * Reads the sync marks between records or blocks, which all container formats have. SequenceFile and RCFile also share
 * the metadata in the header and the record lengths.
 */
final class SyncedInput {
    static final int MARK_BYTES = 16;

    /** Stands in the place of a length before a mark. */
    static final int ESCAPE = -1;

    /** The bytes of a pair of empty texts. */
    private static final int MIN_PAIR = 2;

    private final BoundedInput in;
    private byte[] mark = new byte[0];

    SyncedInput(BoundedInput in) {
        this.in = in;
    }

    BoundedInput bytes() {
        return in;
    }

    /** Reads pairs of texts and returns the value for one key, or empty text when it is missing. */
    String metadata(String wanted) throws IOException {
        int claimed = in.readInt();
        int pairs = in.count((long) claimed * MIN_PAIR, "metadata") / MIN_PAIR;
        String found = "";
        for (int i = 0; i < pairs; i++) {
            String key = in.readText("key of metadata");
            String value = in.readText("value of metadata");
            found = key.equals(wanted) ? value : found;
        }
        return found;
    }

    /** Reads the sync mark at the end of a header. */
    void readMark() throws IOException {
        mark = in.readBytes(MARK_BYTES, "mark");
    }

    /** Returns the length of the next record, or -1 at the end of the file. */
    int nextLength() throws IOException {
        if (in.left() == 0) {
            return -1;
        }
        int length = in.readInt();
        if (length == ESCAPE) {
            checkMark();
            if (in.left() == 0) {
                return -1;
            }
            length = in.readInt();
        }
        if (length < 0) {
            throw new IOException("record of " + length + " bytes at " + in.position());
        }
        return length;
    }

    /** Begins a block. Returns false at the end of the file. */
    boolean nextBlock() throws IOException {
        if (in.left() == 0) {
            return false;
        }
        if (in.readInt() != ESCAPE) {
            throw new IOException("no mark before the block at " + in.position());
        }
        checkMark();
        return true;
    }

    /** @throws IOException when the next mark differs from the header's mark */
    void checkMark() throws IOException {
        if (!Arrays.equals(in.readBytes(MARK_BYTES, "mark"), mark)) {
            throw new IOException("the mark before " + in.position() + " is another than the file's");
        }
    }
}
