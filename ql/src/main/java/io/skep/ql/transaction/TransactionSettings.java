package io.skep.ql.transaction;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.session.SessionSettings;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * Settings of a session for transactions, with Hive's names. Unlike Hive, transactional tables may be used without
 * naming a transaction manager.
 *
 * @param isOff whether the session has Hive's manager that knows no transactions
 * @param lockRetries how often locks that are not granted are checked again
 * @param longestPause the longest time between two checks
 * @param exclusiveWrites whether writers of a table exclude each other; otherwise the first of two conflicting ones
 *     wins
 * @param exclusiveOverwrites whether replacing rows waits for readers
 * @param restarts how often a transaction is begun again because its snapshot misses what others have committed
 */
public record TransactionSettings(
        boolean isOff,
        int lockRetries,
        Duration longestPause,
        boolean exclusiveWrites,
        boolean exclusiveOverwrites,
        int restarts) {
    private static final String DB_MANAGER = "org.apache.hadoop.hive.ql.lockmgr.DbTxnManager";
    private static final String DUMMY_MANAGER = "org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager";

    static final Property<String> MANAGER = new Property<>(
            "hive.txn.manager",
            PropertyType.oneOf(DB_MANAGER, DUMMY_MANAGER),
            DB_MANAGER,
            "Hive's class for transactions. With DummyTxnManager statements on transactional tables are refused.");
    static final Property<Boolean> CONCURRENCY = new Property<>(
            "hive.support.concurrency",
            PropertyType.flag(),
            "true",
            "Whether tables are locked, which transactional tables need. Other tables are never locked.");
    static final Property<Integer> LOCK_RETRIES = new Property<>(
            "hive.lock.numretries",
            PropertyType.integer(0, Integer.MAX_VALUE),
            "100",
            "How often a statement checks again whether it gets its locks on transactional tables.");
    static final Property<Duration> LONGEST_PAUSE = new Property<>(
            "hive.lock.sleep.between.retries",
            PropertyType.time(Duration.ofSeconds(1)),
            "60s",
            "Longest time between two checks for locks. The first ones follow each other quickly.");
    static final Property<Boolean> EXCLUSIVE_WRITES = new Property<>(
            "hive.txn.xlock.write",
            PropertyType.flag(),
            "true",
            "Whether statements that update a transactional table exclude each other. Otherwise both run, and the one "
                    + "that commits last fails when they have changed the same table or partition.");
    static final Property<Boolean> EXCLUSIVE_OVERWRITES = new Property<>(
            "hive.txn.xlock.iow",
            PropertyType.flag(),
            "true",
            "Whether INSERT OVERWRITE of a transactional table waits for its readers and keeps others out.");
    static final Property<Integer> RESTARTS = new Property<>(
            "hive.txn.retrysnapshot.max.count",
            PropertyType.integer(0, 20),
            "5",
            "How often a statement takes a new snapshot when another one has changed the same table while it waited.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            MANAGER, CONCURRENCY, LOCK_RETRIES, LONGEST_PAUSE, EXCLUSIVE_WRITES, EXCLUSIVE_OVERWRITES, RESTARTS);

    /** @throws SkepException INVALID_CONFIGURATION when a value of the site is not valid */
    public static TransactionSettings of(SessionSettings settings) {
        boolean isDummy = read(settings, MANAGER).equals(DUMMY_MANAGER);
        if (!isDummy && !read(settings, CONCURRENCY)) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION, ErrorMsg.DBTXNMGR_REQUIRES_CONCURRENCY.getMsg())
                    .as(CompileErrors.plainly(ErrorMsg.DBTXNMGR_REQUIRES_CONCURRENCY));
        }
        return new TransactionSettings(
                isDummy,
                read(settings, LOCK_RETRIES),
                read(settings, LONGEST_PAUSE),
                read(settings, EXCLUSIVE_WRITES),
                read(settings, EXCLUSIVE_OVERWRITES),
                read(settings, RESTARTS));
    }

    /** Hive's own defaults of some of these settings mean a server without transactions. */
    private static <T> T read(SessionSettings settings, Property<T> property) {
        String text = settings.origin(property.name()) == SessionSettings.Origin.DEFAULT
                ? property.defaultValue()
                : settings.get(property.name()).orElse(property.defaultValue());
        try {
            return property.type().parse(text);
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, property.name() + ": " + e.getMessage(), e);
        }
    }

    /** @throws SkepException NOT_SUPPORTED when the session's manager knows no transactions */
    void checkOn(TableUse use) {
        if (isOff) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            ErrorMsg.TXNMGR_NOT_ACID.format(
                                    use.table().database(), use.table().name()))
                    .as(CompileErrors.plainly(ErrorMsg.TXNMGR_NOT_ACID))
                    .withHint("set " + MANAGER.name() + "=" + DB_MANAGER);
        }
    }
}
