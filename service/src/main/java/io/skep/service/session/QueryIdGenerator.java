package io.skep.service.session;

import io.skep.common.query.QueryId;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates query ids from the server's start time, a random number of this start, and a query number. The random
 * number distinguishes servers that start in the same millisecond. It also distinguishes starts of one server whose
 * clock was set back between them. Servers that share a warehouse name files and commits after queries.
 */
final class QueryIdGenerator {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final String prefix;
    private final AtomicLong numbers = new AtomicLong();

    QueryIdGenerator(InstantSource clock) {
        int random = (int) (UUID.randomUUID().getMostSignificantBits() >>> Integer.SIZE);
        this.prefix =
                "skep_" + TIME.format(clock.instant()) + "_" + HexFormat.of().toHexDigits(random) + "_";
    }

    QueryId next() {
        return new QueryId(prefix + numbers.incrementAndGet());
    }
}
