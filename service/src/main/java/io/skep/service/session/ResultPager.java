package io.skep.service.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.ql.ResultSchema;
import io.skep.ql.SqlStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Splits a statement's batches into pages with the number of rows that the client requests. The bytes of a page are
 * limited too.
 */
final class ResultPager {
    /** The encoded page and the objects that it is built from use a multiple of this size. */
    static final long MAX_PAGE_BYTES = 4 << 20;

    private final SqlStatement statement;

    @GuardedBy("this")
    private final RewindBuffer read;

    @GuardedBy("this")
    private @Nullable Batch current;

    @GuardedBy("this")
    private int used;

    /** The number of rows before the next page. */
    @GuardedBy("this")
    private long offset;

    /** Whether the statement has no more batches. */
    @GuardedBy("this")
    private boolean exhausted;

    private volatile long rows;

    /** @param read retains what has been read */
    ResultPager(SqlStatement statement, RewindBuffer read) {
        this.statement = statement;
        this.read = read;
    }

    /** Returns the number of different rows read. */
    long rows() {
        return rows;
    }

    /**
     * Makes {@link #next} begin with the first row again.
     *
     * @throws SkepException NOT_SUPPORTED when the rows that have been read were too many to be kept
     */
    synchronized void rewind() {
        if (offset == 0) {
            return;
        }
        if (!read.rewind()) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "reading a large result again from its first row is not supported")
                    .withHint("run the statement again, or read forward only; results up to "
                            + (RewindBuffer.MAX_BYTES >> 20) + " MB can be read again");
        }
        current = null;
        used = 0;
        offset = 0;
    }

    synchronized ResultPage next(int maxRows) {
        ResultSchema schema = statement
                .schema()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.INVALID_FETCH, "the statement has no result set to fetch from"));
        List<Batch> page = new ArrayList<>();
        long first = offset;
        boolean hasMore = true;
        int wanted = Math.max(1, maxRows);
        long room = MAX_PAGE_BYTES;
        while (wanted > 0 && room > 0) {
            Batch batch = available();
            if (batch == null) {
                hasMore = false;
                break;
            }
            RowBytes.Fit fit = RowBytes.fit(batch, used, Math.min(wanted, batch.rowCount() - used), room);
            if (fit.bytes() > room && !page.isEmpty()) {
                break;
            }
            int count = fit.rows();
            page.add(batch.slice(used, count));
            room -= fit.bytes();
            used += count;
            wanted -= count;
            offset += count;
        }
        rows = Math.max(rows, offset);
        return new ResultPage(schema, first, page, MAX_PAGE_BYTES - room, hasMore);
    }

    @GuardedBy("this")
    private @Nullable Batch available() {
        boolean ended = false;
        while (!ended && (current == null || used == current.rowCount())) {
            // The batch's memory is released when the next batch is requested.
            current = null;
            Optional<Batch> next = read.next();
            if (next.isEmpty() && !exhausted) {
                next = statement.results().next();
                next.ifPresent(read::add);
                exhausted = next.isEmpty();
            }
            current = next.orElse(null);
            used = 0;
            ended = next.isEmpty();
        }
        return current;
    }
}
