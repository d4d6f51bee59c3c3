package io.skep.ql.reuse;

import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** Plans of one shape that nobody has taken. Thread-safe. */
final class OpenQueries {
    /** As many as can be compiled at once, which takes less than a millisecond each. */
    private static final int MOST = 8;

    private final Deque<OpenQuery> queries = new ConcurrentLinkedDeque<>();
    private final AtomicInteger count = new AtomicInteger();

    Optional<OpenQuery> take() {
        OpenQuery taken = queries.poll();
        if (taken != null) {
            count.decrementAndGet();
        }
        return Optional.ofNullable(taken);
    }

    void giveBack(OpenQuery query) {
        if (count.incrementAndGet() <= MOST) {
            queries.push(query);
        } else {
            count.decrementAndGet();
        }
    }
}
