package io.skep.mapred;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.jspecify.annotations.Nullable;

/** Rows as Arrow has them. Readers put one batch after the other here, and each is valid until the next one. */
public final class ArrowBatch {
    private @Nullable VectorSchemaRoot root;

    /** Returns the columns, which stay the reader's. */
    public VectorSchemaRoot root() {
        VectorSchemaRoot current = root;
        if (current == null) {
            throw new IllegalStateException("there is no current batch");
        }
        return current;
    }

    public int rowCount() {
        return root().getRowCount();
    }

    void set(VectorSchemaRoot batch) {
        this.root = batch;
    }

    /** Writes the rows as a stream of Arrow (IPC), for another copy of Arrow's library in the same process. */
    public void writeTo(OutputStream out) throws IOException {
        try (ArrowStreamWriter writer = new ArrowStreamWriter(root(), null, out)) {
            writer.writeBatch();
        }
    }
}
