package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.util.List;

/** Row identifiers that are written in their order, each at most once. */
final class DistinctRowIds implements PageSink {
    private final PageSink sink;
    private final long[] last = {-1, -1, -1};

    DistinctRowIds(PageSink sink) {
        this.sink = sink;
    }

    /** @throws SkepException MERGE_CARDINALITY_VIOLATION when two rows change the same row */
    @Override
    public void append(Batch batch) {
        List<LongVector> ids = ((StructVector) batch.column(0).flatten())
                .fields().stream().map(field -> (LongVector) field.flatten()).toList();
        for (int row = 0; row < batch.rowCount(); row++) {
            boolean isSame = true;
            for (int i = 0; i < last.length; i++) {
                long value = ids.get(i).value(row);
                isSame &= value == last[i];
                last[i] = value;
            }
            if (isSame) {
                throw new SkepException(
                                StandardErrorCode.MERGE_CARDINALITY_VIOLATION,
                                "Cardinality Violation in Merge statement: [" + last[0] + ", " + last[1] + ", "
                                        + last[2] + "] is matched by more than one row of the source")
                        .withHint("make the rows of the source distinct in the columns of the ON clause");
            }
        }
        sink.append(batch);
    }

    @Override
    public long bufferedBytes() {
        return sink.bufferedBytes();
    }

    @Override
    public WrittenFile finish() {
        return sink.finish();
    }

    @Override
    public void abort() {
        sink.abort();
    }
}
