package io.skep.service.session;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings of sessions.
 *
 * @param idleSession an unused session is closed after this time; zero or less: never
 * @param idleOperation an operation that has ended and gets no calls is closed after this time; negative: also a
 *     running one; zero: never
 * @param checkInterval time between checks for both; zero: never
 * @param keepBusySessions whether a session with open operations is never idle
 * @param maxOpenOperations maximum number of open statements in a session, each with its result
 * @param maxOperations maximum number of open statements in all sessions together
 * @param maxOperationsPerUser maximum number of open statements in all sessions of a user; 0 for no limit
 * @param maxCommands maximum number of running commands and metadata calls; further ones are queued
 * @param maxSessions maximum number of open sessions
 * @param maxPerUser maximum number of open sessions of a user; 0 for no limit, as for the next two
 * @param maxPerAddress maximum number of open sessions of clients with one address
 * @param maxPerUserAndAddress maximum number of open sessions of a user from one address
 */
public record SessionConfig(
        Duration idleSession,
        Duration idleOperation,
        Duration checkInterval,
        boolean keepBusySessions,
        int maxOpenOperations,
        int maxOperations,
        int maxOperationsPerUser,
        int maxCommands,
        int maxSessions,
        int maxPerUser,
        int maxPerAddress,
        int maxPerUserAndAddress) {
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    static final Property<Duration> IDLE_SESSION = new Property<>(
            "hive.server2.idle.session.timeout",
            PropertyType.signedTime(MILLISECOND),
            "4h",
            "Idle timeout of sessions; 0 or less: none.");
    static final Property<Duration> IDLE_OPERATION = new Property<>(
            "hive.server2.idle.operation.timeout",
            PropertyType.signedTime(MILLISECOND),
            "2h",
            "Idle timeout of statements: one that has finished, and whose client sends no request for it, is "
                    + "closed; negative: running ones too; 0: never.");
    static final Property<Duration> CHECK_INTERVAL = new Property<>(
            "hive.server2.session.check.interval",
            PropertyType.signedTime(MILLISECOND),
            "15m",
            "Interval between checks for idle sessions and statements; 0 or less: never.");
    static final Property<Boolean> KEEP_BUSY = new Property<>(
            "hive.server2.idle.session.check.operation",
            PropertyType.flag(),
            "true",
            "Whether a session with open statements counts as used.");
    static final Property<Integer> MAX_OPEN = new Property<>(
            "skep.session.max-open-operations",
            PropertyType.integer(1, 1_000_000),
            "1000",
            "Maximum number of open statements of a session, each with its result.");
    static final Property<Integer> MAX_OPERATIONS = new Property<>(
            "skep.operations.max-open",
            PropertyType.integer(1, 10_000_000),
            "20000",
            "Maximum number of open statements of all sessions; further ones are refused.");
    static final Property<Integer> MAX_OPERATIONS_PER_USER = new Property<>(
            "skep.operations.max-open-per-user",
            PropertyType.integer(0, 10_000_000),
            "10000",
            "Maximum number of open statements of a user's sessions; further ones are refused; 0: no limit.");
    static final Property<Integer> MAX_COMMANDS = new Property<>(
            "skep.operations.max-running-commands",
            PropertyType.integer(1, 100_000),
            "1000",
            "Maximum number of commands, definitions and metadata calls that run at a time, each on a platform "
                    + "thread; further ones wait.");

    static final Property<Integer> MAX_SESSIONS = new Property<>(
            "skep.session.max-sessions",
            PropertyType.integer(1, 1_000_000),
            "20000",
            "Maximum number of open sessions; further ones are refused.");
    static final Property<Integer> PER_USER = limit("user", "of a user");
    static final Property<Integer> PER_ADDRESS = limit("ipaddress", "of clients of one address");
    static final Property<Integer> PER_USER_AND_ADDRESS = limit("user.ipaddress", "of a user from one address");

    private static Property<Integer> limit(String name, String whose) {
        return new Property<>(
                "hive.server2.limit.connections.per." + name,
                PropertyType.integer(0, Integer.MAX_VALUE),
                "0",
                "Maximum number of open sessions " + whose + "; 0: no limit.");
    }

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            IDLE_SESSION,
            IDLE_OPERATION,
            CHECK_INTERVAL,
            KEEP_BUSY,
            MAX_OPEN,
            MAX_OPERATIONS,
            MAX_OPERATIONS_PER_USER,
            MAX_COMMANDS,
            MAX_SESSIONS,
            PER_USER,
            PER_ADDRESS,
            PER_USER_AND_ADDRESS);

    public static SessionConfig of(SettingsReader reader) {
        return new SessionConfig(
                reader.read(IDLE_SESSION),
                reader.read(IDLE_OPERATION),
                reader.read(CHECK_INTERVAL),
                reader.read(KEEP_BUSY),
                reader.read(MAX_OPEN),
                reader.read(MAX_OPERATIONS),
                reader.read(MAX_OPERATIONS_PER_USER),
                reader.read(MAX_COMMANDS),
                reader.read(MAX_SESSIONS),
                reader.read(PER_USER),
                reader.read(PER_ADDRESS),
                reader.read(PER_USER_AND_ADDRESS));
    }
}
