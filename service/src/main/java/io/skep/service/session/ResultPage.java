package io.skep.service.session;

import io.skep.common.vector.Batch;
import io.skep.ql.ResultSchema;
import java.util.List;

/**
 * Some rows of a result.
 *
 * @param offset the number of the first row within the result
 * @param bytes approximate bytes of its rows
 */
public record ResultPage(ResultSchema schema, long offset, List<Batch> batches, long bytes, boolean hasMore) {
    public ResultPage {
        batches = List.copyOf(batches);
    }

    public int rowCount() {
        return batches.stream().mapToInt(Batch::rowCount).sum();
    }
}
