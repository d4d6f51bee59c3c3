package io.skep.ql.system;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.PageSinkFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file with rows of a table that has no files. Columns that are not read are null in it. Without rows there is no
 * file, and closing leaves no file that is not complete. Owned by one thread.
 */
public final class StagedRows implements AutoCloseable {
    /** The name of the file in its folder. */
    public static final String FILE = "rows.orc";

    private final TableLayout layout;
    private final List<Integer> columns;
    private final PageSinkFactory sinks;
    private final String path;
    private @Nullable PageSink sink;

    /**
     * @param columns positions in the layout of the columns that batches have
     * @param path the file, which must not exist yet
     */
    public StagedRows(TableLayout layout, List<Integer> columns, PageSinkFactory sinks, String path) {
        this.layout = layout;
        this.columns = columns;
        this.sinks = sinks;
        this.path = path;
    }

    public void append(Batch read) {
        List<Column> all = layout.dataColumns();
        List<Vector> vectors = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            int found = columns.indexOf(i);
            vectors.add(
                    found >= 0
                            ? read.columns().get(found)
                            : VectorAppender.nulls(all.get(i).type(), read.rowCount()));
        }
        if (sink == null) {
            sink = sinks.create(layout, path);
        }
        sink.append(new Batch(vectors, read.rowCount()));
    }

    /** Completes the file. Returns its path, if there are rows. */
    public Optional<String> finish() {
        PageSink written = sink;
        sink = null;
        if (written == null) {
            return Optional.empty();
        }
        written.finish();
        return Optional.of(path);
    }

    @Override
    public void close() {
        if (sink != null) {
            sink.abort();
            sink = null;
        }
    }
}
