package io.skep.storage.compaction;

import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.SourceBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a file that a snapshot contains. */
final class InsertSource implements EventSource {
    private final PageSource source;
    private final int columns;

    /** @param source returns the table's data columns and the row identifiers */
    InsertSource(PageSource source, int columns) {
        this.source = source;
        this.columns = columns;
    }

    @Override
    public @Nullable EventBatch next() {
        while (true) {
            source.blocked().join();
            SourceBatch batch = source.next();
            if (batch == null) {
                return null;
            }
            if (batch.rowCount() > 0) {
                return of(batch);
            }
        }
    }

    private EventBatch of(SourceBatch batch) {
        List<Vector> vectors = new ArrayList<>();
        for (int i = 0; i <= columns; i++) {
            vectors.add(batch.column(i));
        }
        StructVector ids = (StructVector) vectors.getLast().flatten();
        return new EventBatch(
                new Batch(vectors, batch.rowCount()),
                ((LongVector) ids.fields().get(0)).values(),
                ((LongVector) ids.fields().get(1)).values(),
                ((LongVector) ids.fields().get(2)).values());
    }

    @Override
    public void close() {
        source.close();
    }
}
