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
    private @Nullable Batch current;

    @GuardedBy("this")
    private int used;

    private volatile long given;
    private volatile boolean ended;

    ResultPager(SqlStatement statement) {
        this.statement = statement;
    }

    /** Whether all rows are produced, so that no part of the statement is running. */
    boolean ended() {
        return ended;
    }

    boolean started() {
        return given > 0;
    }

    /** Returns the number of rows read. */
    long rows() {
        return given;
    }

    synchronized ResultPage next(int maxRows) {
        ResultSchema schema = statement
                .schema()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.INVALID_FETCH, "the statement has no result set to fetch from"));
        List<Batch> page = new ArrayList<>();
        long offset = given;
        int wanted = Math.max(1, maxRows);
        long room = MAX_PAGE_BYTES;
        while (wanted > 0 && room > 0) {
            Batch batch = available();
            if (batch == null) {
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
            given += count;
        }
        return new ResultPage(schema, offset, page, MAX_PAGE_BYTES - room, !ended);
    }

    @GuardedBy("this")
    private @Nullable Batch available() {
        while (!ended && (current == null || used == current.rowCount())) {
            // The batch's memory is released when the next batch is requested.
            current = null;
            Optional<Batch> next = statement.results().next();
            current = next.orElse(null);
            used = 0;
            ended = next.isEmpty();
        }
        return ended ? null : current;
    }
}
