package io.skep.service.session;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * What sessions are held to.
 *
 * @param idleSession a session that nobody uses is closed after this time; zero or less: never
 * @param idleOperation an operation that has ended and that nobody asks about is closed after this time; negative: also one that
 *     runs; zero: never
 * @param checkInterval how often the two are looked for; zero: never
 * @param keepBusySessions whether a session with open operations is never idle
 * @param maxOpenOperations statements that a session may keep open, each with its result
 * @param maxSessions sessions that may be open
 * @param maxPerUser sessions that a user may have open; 0 for no limit, as for the next two
 * @param maxPerAddress sessions that clients of one address may have open
 * @param maxPerUserAndAddress sessions that a user may have open from one address
 */
public record SessionTerms(
        Duration idleSession,
        Duration idleOperation,
        Duration checkInterval,
        boolean keepBusySessions,
        int maxOpenOperations,
        int maxSessions,
        int maxPerUser,
        int maxPerAddress,
        int maxPerUserAndAddress) {
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    static final Property<Duration> IDLE_SESSION = new Property<>(
            "hive.server2.idle.session.timeout",
            PropertyType.signedTime(MILLISECOND),
            "4h",
            "A session that is not used for so long is closed; 0 or less: never.");
    static final Property<Duration> IDLE_OPERATION = new Property<>(
            "hive.server2.idle.operation.timeout",
            PropertyType.signedTime(MILLISECOND),
            "2h",
            "A statement that has ended and that its client has not asked about for so long is closed;"
                    + " negative: also one that runs; 0: never.");
    static final Property<Duration> CHECK_INTERVAL = new Property<>(
            "hive.server2.session.check.interval",
            PropertyType.signedTime(MILLISECOND),
            "15m",
            "How often idle sessions and statements are looked for; 0 or less: never.");
    static final Property<Boolean> KEEP_BUSY = new Property<>(
            "hive.server2.idle.session.check.operation",
            PropertyType.flag(),
            "true",
            "Whether a session that has statements open is in use.");
    static final Property<Integer> MAX_OPEN = new Property<>(
            "skep.session.max-open-operations",
            PropertyType.integer(1, 1_000_000),
            "1000",
            "Statements that a session may keep open, each with its result.");

    static final Property<Integer> MAX_SESSIONS = new Property<>(
            "skep.session.max-sessions",
            PropertyType.integer(1, 1_000_000),
            "20000",
            "Sessions that may be open; further ones are refused.");
    static final Property<Integer> PER_USER = limit("user", "of a user");
    static final Property<Integer> PER_ADDRESS = limit("ipaddress", "of clients of one address");
    static final Property<Integer> PER_USER_AND_ADDRESS = limit("user.ipaddress", "of a user from one address");

    private static Property<Integer> limit(String name, String whose) {
        return new Property<>(
                "hive.server2.limit.connections.per." + name,
                PropertyType.integer(0, Integer.MAX_VALUE),
                "0",
                "Sessions " + whose + " that may be open; 0: no limit.");
    }

    /** All of them, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            IDLE_SESSION,
            IDLE_OPERATION,
            CHECK_INTERVAL,
            KEEP_BUSY,
            MAX_OPEN,
            MAX_SESSIONS,
            PER_USER,
            PER_ADDRESS,
            PER_USER_AND_ADDRESS);

    public static SessionTerms of(SettingsReader reader) {
        return new SessionTerms(
                reader.read(IDLE_SESSION),
                reader.read(IDLE_OPERATION),
                reader.read(CHECK_INTERVAL),
                reader.read(KEEP_BUSY),
                reader.read(MAX_OPEN),
                reader.read(MAX_SESSIONS),
                reader.read(PER_USER),
                reader.read(PER_ADDRESS),
                reader.read(PER_USER_AND_ADDRESS));
    }
}
