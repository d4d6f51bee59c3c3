package io.skep.llap.server.exchange;

import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.List;

/** Cuts what a batch keeps alive, shared byte arrays and large dictionaries, down to what its rows need. */
final class BatchTrimmer {
    /** Bytes that sharing may waste. */
    private static final int SLACK = 1024;

    private BatchTrimmer() {}

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
        long used = 0;
        int[] lengths = vector.lengths();
        for (int i = 0; i < vector.length(); i++) {
            used += lengths[i];
        }
        return used * 2 + SLACK < vector.data().length;
    }
}
