package io.skep.ql.compaction;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings of compactions. Keys are Hive's, where Hive has the setting.
 *
 * @param isInitiating whether this server looks for tables that need a compaction
 * @param isCleaning whether this server deletes what compactions have replaced
 * @param workers the number of threads that carry out compactions
 * @param workerTimeout after this time another worker takes a compaction again
 * @param checks interval between searches for tables that need a compaction
 * @param cleanings interval between searches for something to clean up
 * @param thresholds when a table needs a compaction
 * @param memory the bytes that compactions may keep in memory
 */
public record CompactionConfig(
        boolean isInitiating,
        boolean isCleaning,
        int workers,
        Duration workerTimeout,
        Duration checks,
        Duration cleanings,
        CompactionThresholds thresholds,
        long memory) {
    private static final Property<Boolean> INITIATOR = new Property<>(
            "hive.compactor.initiator.on",
            PropertyType.flag(),
            "false",
            "Whether this server looks for transactional tables that need a compaction and requests it. One server at "
                    + "a time does so.");
    private static final Property<Boolean> CLEANER = new Property<>(
            "hive.compactor.cleaner.on",
            PropertyType.flag(),
            "true",
            "Whether this server deletes the files that compactions have replaced, and those of aborted transactions. "
                    + "One server at a time does so.");
    private static final Property<Integer> WORKERS = new Property<>(
            "hive.compactor.worker.threads",
            PropertyType.integer(0, 100),
            "1",
            "Number of threads that carry out requested compactions, with low priority. With 0 other servers do.");
    private static final Property<Duration> WORKER_TIMEOUT = new Property<>(
            "hive.compactor.worker.timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "86400s",
            "Time after which a compaction that has not ended is given to another worker.");
    private static final Property<Duration> CHECKS = new Property<>(
            "hive.compactor.check.interval",
            PropertyType.time(Duration.ofSeconds(1)),
            "300s",
            "Interval between searches for tables that need a compaction.");
    private static final Property<Duration> CLEANINGS = new Property<>(
            "hive.compactor.cleaner.run.interval",
            PropertyType.time(Duration.ofMillis(1)),
            "5000ms",
            "Interval between searches for replaced files that no running query can read.");
    private static final Property<Long> MEMORY = new Property<>(
            "skep.compactor.max-memory",
            PropertyType.size(16L << 20, Long.MAX_VALUE),
            "512mb",
            "Memory that all compactions of a server may use for buffers of files and for delete events.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            INITIATOR,
            CLEANER,
            WORKERS,
            WORKER_TIMEOUT,
            CHECKS,
            CLEANINGS,
            CompactionThresholds.DELTAS,
            CompactionThresholds.DELTA_SHARE,
            CompactionThresholds.ABORTS,
            CompactionThresholds.ABORT_AGE,
            MEMORY);

    /** Reads the settings. The reader reports invalid ones. */
    public static CompactionConfig of(SettingsReader settings) {
        CompactionConfig config = new CompactionConfig(
                settings.read(INITIATOR, "metastore.compactor.initiator.on"),
                settings.read(CLEANER, "metastore.compactor.cleaner.on"),
                settings.read(WORKERS, "metastore.compactor.worker.threads"),
                settings.read(WORKER_TIMEOUT),
                settings.read(CHECKS),
                settings.read(CLEANINGS),
                CompactionThresholds.of(settings),
                settings.read(MEMORY));
        positive(config.checks(), CHECKS, settings);
        positive(config.cleanings(), CLEANINGS, settings);
        return config;
    }

    private static void positive(Duration interval, Property<Duration> property, SettingsReader settings) {
        if (interval.isZero()) {
            settings.refuse(property.name(), "it must be above 0");
        }
    }
}
