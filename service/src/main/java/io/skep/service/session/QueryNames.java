package io.skep.service.session;

import io.skep.common.query.QueryId;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Names queries: when the server started, and a number. */
public final class QueryNames {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final String prefix;
    private final AtomicLong numbers = new AtomicLong();

    public QueryNames(InstantSource clock) {
        this.prefix = "skep_" + TIME.format(clock.instant()) + "_";
    }

    QueryId next() {
        return new QueryId(prefix + numbers.incrementAndGet());
    }
}
