package io.skep.ql.execution;

import io.skep.common.query.QueryId;

/**
 * Identifies one attempt to run a statement. All attempts of a statement are numbered together, even when it has
 * several plans.
 *
 * @param number the number, starting at 1
 */
public record QueryAttemptId(QueryId query, int number) {
    public QueryAttemptId {
        if (number < 1) {
            throw new IllegalArgumentException("attempt " + number + " of " + query);
        }
    }

    /** Returns the name of the attempt for daemons, Tez and staged files: {@code q}, {@code q-2}, {@code q-3}. */
    public QueryId name() {
        return number == 1 ? query : new QueryId(query.value() + "-" + number);
    }
}
