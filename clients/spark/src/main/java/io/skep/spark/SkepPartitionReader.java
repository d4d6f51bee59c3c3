package io.skep.spark;

import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.SplitRows;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Reads a partition. Spark's columns are views of the buffers that have arrived; no row is copied. */
final class SkepPartitionReader implements PartitionReader<ColumnarBatch> {
    private final BufferAllocator memory = new RootAllocator();
    private final SplitRows rows;
    private final WallClock clock;
    private final boolean empty;
    private @Nullable ColumnarBatch batch;

    /** @param trust file with the authorities that certify daemons and servers */
    SkepPartitionReader(ExternalSplit split, Optional<Path> trust, WallClock clock, boolean empty) {
        this.rows = new ExternalReader(memory, trust).read(split);
        this.clock = clock;
        this.empty = empty;
    }

    @Override
    public boolean next() {
        if (!rows.next()) {
            batch = null;
            return false;
        }
        VectorSchemaRoot read = rows.batch();
        batch = new ColumnarBatch(empty ? new ColumnVector[0] : columns(read.getFieldVectors()), read.getRowCount());
        return true;
    }

    private ColumnVector[] columns(List<FieldVector> vectors) {
        ColumnVector[] columns = new ColumnVector[vectors.size()];
        for (int i = 0; i < columns.length; i++) {
            clock.toInstants(vectors.get(i));
            columns[i] = BufferColumn.of(vectors.get(i));
        }
        return columns;
    }

    @Override
    public ColumnarBatch get() {
        ColumnarBatch current = batch;
        if (current == null) {
            throw new IllegalStateException("Skep: there is no current batch");
        }
        return current;
    }

    @Override
    public void close() {
        try (memory) {
            rows.close();
        }
    }
}
