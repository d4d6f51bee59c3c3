package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.ql.ResultSchema;
import io.skep.ql.SqlStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Cuts a statement's batches into pages of the size that the client asks for. */
final class ResultPager {
    private final SqlStatement statement;
    private @Nullable Batch current;
    private int used;
    private volatile long given;
    private volatile boolean ended;

    ResultPager(SqlStatement statement) {
        this.statement = statement;
    }

    /** Whether all rows have been made, so that nothing of the statement runs any more. */
    boolean ended() {
        return ended;
    }

    boolean started() {
        return given > 0;
    }

    /** How many rows have been read. */
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
        while (wanted > 0) {
            Batch batch = available();
            if (batch == null) {
                break;
            }
            int count = Math.min(wanted, batch.rowCount() - used);
            page.add(batch.slice(used, count));
            used += count;
            wanted -= count;
            given += count;
        }
        return new ResultPage(schema, offset, page, !ended);
    }

    private @Nullable Batch available() {
        while (!ended && (current == null || used == current.rowCount())) {
            Optional<Batch> next = statement.results().next();
            current = next.orElse(null);
            used = 0;
            ended = next.isEmpty();
        }
        return ended ? null : current;
    }
}
