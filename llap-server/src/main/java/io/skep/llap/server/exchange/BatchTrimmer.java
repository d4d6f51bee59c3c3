package io.skep.llap.server.exchange;

import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.List;

/**
 * Reduces the memory that a batch keeps alive, such as shared byte arrays and large dictionaries, to what its rows
 * need. Also computes the text size of a batch.
 */
final class BatchTrimmer {
    /** Bytes that sharing may waste. */
    private static final int SLACK = 1024;

    private BatchTrimmer() {}

    /** Returns the number of text bytes of the rows when no two rows share text. */
    static long textBytes(Batch batch) {
        long bytes = 0;
        for (Vector column : batch.columns()) {
            if (column instanceof BytesVector texts && texts.data().length > SLACK) {
                bytes += textBytes(texts);
            }
        }
        return bytes;
    }

    private static long textBytes(BytesVector texts) {
        long bytes = 0;
        int[] lengths = texts.lengths();
        for (int i = 0; i < texts.length(); i++) {
            bytes += lengths[i];
        }
        return bytes;
    }

    static Batch trim(Batch batch) {
        List<Vector> trimmed = new ArrayList<>(batch.columnCount());
        boolean changed = false;
        for (Vector column : batch.columns()) {
            Vector small = trim(column);
            trimmed.add(small);
            changed |= small != column;
        }
        return changed ? new Batch(trimmed, batch.rowCount()) : batch;
    }

    private static Vector trim(Vector vector) {
        return switch (vector) {
            case DictionaryVector v when v.dictionary().length() > v.length() -> trim(v.flatten());
            case BytesVector v when wasteful(v) -> v.compact();
            default -> vector;
        };
    }

    private static boolean wasteful(BytesVector vector) {
        if (vector.data().length <= SLACK) {
            return false;
        }
        return textBytes(vector) * 2 + SLACK < vector.data().length;
    }
}
