package io.skep.service.session;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import java.time.Duration;

/** The time limit of a query: the shorter one of the settings' limit and the client's. */
public final class QueryTimeout {
    public static final Property<Duration> PROPERTY = new Property<>(
            "hive.query.timeout.seconds",
            PropertyType.time(Duration.ofSeconds(1)),
            "0s",
            "Maximum time until a query's first rows are ready; 0: no limit. Clients may ask for less.");

    /** Parsed only once, because nearly all statements use this value. */
    private static final Duration INITIAL = PROPERTY.type().parse(PROPERTY.defaultValue());

    private QueryTimeout() {}

    /** Returns the limit, or zero for no limit. */
    static Duration of(SqlSession session, Duration asked) {
        Duration set = session.setting(PROPERTY.name()).map(QueryTimeout::parse).orElse(Duration.ZERO);
        if (set.isZero() || asked.isZero()) {
            return set.plus(asked);
        }
        return set.compareTo(asked) < 0 ? set : asked;
    }

    private static Duration parse(String text) {
        try {
            return text.equals(PROPERTY.defaultValue())
                    ? INITIAL
                    : PROPERTY.type().parse(text);
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, PROPERTY.name() + ": " + e.getMessage(), e);
        }
    }
}
