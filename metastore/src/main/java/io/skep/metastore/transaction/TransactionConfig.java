package io.skep.metastore.transaction;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings for when transactions end without their owners. Keys are Hive's.
 *
 * @param timeout after this time without a heartbeat a transaction or a lock is ended by any server
 * @param timeoutChecks interval between searches for such transactions and locks
 * @param cleaning interval between removals of rows about ended transactions
 */
public record TransactionConfig(Duration timeout, Duration timeoutChecks, Duration cleaning) {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    static final Property<Duration> TIMEOUT = new Property<>(
            "hive.txn.timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "300s",
            "Time after which a transaction is aborted when its server sends no heartbeat. Servers send one after half "
                    + "of this time. All servers and metastores of a database need the same value.");
    static final Property<Duration> TIMEOUT_CHECKS = new Property<>(
            "metastore.acid.housekeeper.interval",
            PropertyType.time(Duration.ofSeconds(1)),
            "60s",
            "Interval between searches for transactions and locks that have timed out. One server at a time searches.");
    static final Property<Duration> CLEANING = new Property<>(
            "metastore.acid.txn.cleaner.interval",
            PropertyType.time(Duration.ofSeconds(1)),
            "10s",
            "Interval between removals of rows about transactions that have ended and left nothing to clean up.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(TIMEOUT, TIMEOUT_CHECKS, CLEANING);

    /** Reads the settings. The reader reports invalid ones. */
    public static TransactionConfig of(SettingsReader settings) {
        return new TransactionConfig(
                settings.read(TIMEOUT, "metastore.txn.timeout"),
                settings.read(TIMEOUT_CHECKS, "hive.metastore.acid.housekeeper.interval"),
                settings.read(CLEANING, "hive.metastore.acid.txn.cleaner.interval"));
    }

    /** Returns what is wrong with the values, for the error that names all problems of a configuration. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (timeout.compareTo(SHORTEST) < 0) {
            problems.add(TIMEOUT.name() + " is " + timeout + ", the least is " + SHORTEST.toSeconds() + "s");
        }
        if (timeoutChecks.isZero()) {
            problems.add(TIMEOUT_CHECKS.name() + " is 0, it must be above 0");
        }
        if (cleaning.isZero()) {
            problems.add(CLEANING.name() + " is 0, it must be above 0");
        }
        return problems;
    }

    /** Returns the interval between the heartbeats of a transaction, as Hive has it. */
    public Duration heartbeat() {
        return timeout.dividedBy(2);
    }
}
