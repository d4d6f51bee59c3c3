package io.skep.llap.server.read;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Batch;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import java.util.Collection;
import java.util.List;

/**
 * Computes the size of vectors that are too small to be accounted for individually. A row group may have any number of
 * them. Large vectors are accounted for while they are created.
 */
final class SmallVectors {
    private SmallVectors() {}

    /** Returns the bytes of the small vectors of a batch. */
    static long bytes(Batch batch) {
        long bytes = 0;
        for (int i = 0; i < batch.columnCount(); i++) {
            bytes += bytes(batch.column(i));
        }
        return bytes;
    }

    /** Returns the bytes of the small vectors of some columns. */
    static long bytes(Collection<List<Vector>> columns) {
        long bytes = 0;
        for (List<Vector> parts : columns) {
            for (Vector part : parts) {
                bytes += bytes(part);
            }
        }
        return bytes;
    }

    private static long bytes(Vector vector) {
        // Batches share dictionaries.
        long shared =
                vector instanceof DictionaryVector coded ? coded.dictionary().retainedBytes() : 0;
        long bytes = vector.retainedBytes() - shared;
        return ScratchMemory.isCounted(bytes) ? 0 : bytes;
    }
}
