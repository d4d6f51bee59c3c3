package io.skep.storage.serde.container;

import java.io.IOException;
import java.util.Arrays;

/**
 * The marks between the records or blocks of a file, which all containers have. SequenceFile and RCFile also share the
 * metadata in the header and the lengths of records.
 */
final class SyncedInput {
    private static final int MARK_BYTES = 16;
    private static final int ESCAPE = -1;

    /** Bytes of a pair of empty texts. */
    private static final int MIN_PAIR = 2;

    private final BoundedInput in;
    private byte[] mark = new byte[0];

    SyncedInput(BoundedInput in) {
        this.in = in;
    }

    BoundedInput bytes() {
        return in;
    }

    /** Reads pairs of texts and gives the value of one; empty when it is not there. */
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

    /** The end of a header. */
    void readMark() throws IOException {
        mark = in.readBytes(MARK_BYTES, "mark");
    }

    /** The length of the next record; -1 at the end of the file. */
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

    /** Begins a block; false at the end of the file. */
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

    /** @throws IOException when another mark than that of the header comes next */
    void checkMark() throws IOException {
        if (!Arrays.equals(in.readBytes(MARK_BYTES, "mark"), mark)) {
            throw new IOException("the mark before " + in.position() + " is another than the file's");
        }
    }
}
