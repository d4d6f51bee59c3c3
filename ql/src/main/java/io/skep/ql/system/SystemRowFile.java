package io.skep.ql.system;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.VectorAppender;
import io.skep.metastore.system.RowTarget;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSinkFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file with rows of a system table. Columns that are not read are null in it. Rows come from a thread of the
 * metastore, which may go on for a moment after the reader has given up; then they are refused. Without rows there is
 * no file.
 */
final class SystemRowFile implements RowTarget, AutoCloseable {
    private static final int BATCH_ROWS = 1024;
    private static final int BATCH_CHARACTERS = 1 << 20;

    @GuardedBy("this")
    private final StagedRows file;

    @GuardedBy("this")
    private final List<VectorAppender> appenders = new ArrayList<>();

    @GuardedBy("this")
    private int rows;

    @GuardedBy("this")
    private int characters;

    @GuardedBy("this")
    private boolean ended;

    /** @param columns positions in the layout of the values that rows have */
    SystemRowFile(TableLayout layout, List<Integer> columns, PageSinkFactory sinks, String path) {
        this.file = new StagedRows(layout, columns, sinks, path);
        columns.forEach(column ->
                appenders.add(VectorAppender.of(layout.dataColumns().get(column).type())));
    }

    @Override
    public synchronized void row(List<@Nullable Object> values) {
        if (ended) {
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "nobody reads the rows any more");
        }
        for (int i = 0; i < values.size(); i++) {
            append(appenders.get(i), values.get(i));
        }
        rows++;
        if (rows == BATCH_ROWS || characters >= BATCH_CHARACTERS) {
            flush();
        }
    }

    @GuardedBy("this")
    private void append(VectorAppender appender, @Nullable Object value) {
        switch (value) {
            case null -> appender.appendNull();
            case Long number -> appender.appendLong(number);
            case Boolean truth -> appender.appendLong(truth ? 1 : 0);
            case Double number -> appender.appendDouble(number);
            case String text -> {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                characters += bytes.length;
                appender.appendBytes(bytes, 0, bytes.length);
            }
            default -> throw new IllegalArgumentException(value.getClass().getName());
        }
    }

    @GuardedBy("this")
    private void flush() {
        file.append(new Batch(appenders.stream().map(VectorAppender::build).toList(), rows));
        rows = 0;
        characters = 0;
    }

    /** Completes the file. Returns its path, if there are rows. */
    synchronized Optional<String> finish() {
        if (rows > 0) {
            flush();
        }
        ended = true;
        return file.finish();
    }

    /** Leaves no file that is not complete. */
    @Override
    public synchronized void close() {
        ended = true;
        file.close();
    }
}
