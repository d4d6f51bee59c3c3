package io.skep.engine.rows;

import io.skep.common.vector.Batch;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** Counts the bytes of batches that are kept. A dictionary that consecutive batches share is counted only once. */
public final class RetainedBytes {
    private @Nullable Vector[] dictionaries = new Vector[0];

    public long of(Batch batch) {
        if (dictionaries.length < batch.columnCount()) {
            dictionaries = new Vector[batch.columnCount()];
        }
        long bytes = 32;
        for (int i = 0; i < batch.columnCount(); i++) {
            Vector column = batch.column(i);
            bytes += column.retainedBytes();
            if (column instanceof DictionaryVector coded) {
                if (coded.dictionary() == dictionaries[i]) {
                    bytes -= coded.dictionary().retainedBytes();
                }
                dictionaries[i] = coded.dictionary();
            }
        }
        return bytes;
    }
}
