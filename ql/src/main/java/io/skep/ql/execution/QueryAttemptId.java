package io.skep.ql.execution;

import io.skep.common.query.QueryId;

/**
 * One attempt to run a statement. All attempts of a statement are counted together, also when it has several plans.
 *
 * @param number from 1
 */
public record QueryAttemptId(QueryId query, int number) {
    public QueryAttemptId {
        if (number < 1) {
            throw new IllegalArgumentException("attempt " + number + " of " + query);
        }
    }

    /** What daemons, Tez and staged files know the attempt by: {@code q}, {@code q-2}, {@code q-3}. */
    public QueryId name() {
        return number == 1 ? query : new QueryId(query.value() + "-" + number);
    }
}
