package io.skep.service.schedule;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.ql.schedule.ScheduleSettings;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the execution of scheduled queries. Keys are Hive's.
 *
 * @param enabled whether there are scheduled queries on the database
 * @param isExecuting whether this server runs them
 * @param namespace this server runs those of this namespace
 * @param idle interval between searches for queries that are due
 * @param reports interval between reports about running queries
 * @param executors the number of queries that run at a time
 * @param silence time after which an execution without a report has ended
 * @param maintenance interval between searches for such executions and for old ones
 * @param age age at which executions are deleted; negative if they are kept
 */
public record ScheduleConfig(
        boolean enabled,
        boolean isExecuting,
        String namespace,
        Duration idle,
        Duration reports,
        int executors,
        Duration silence,
        Duration maintenance,
        Duration age) {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final Property<Boolean> ENABLED = new Property<>(
            "metastore.scheduled.queries.enabled",
            PropertyType.flag(),
            "true",
            "Whether there are scheduled queries. Otherwise statements about them fail and none runs.");
    private static final Property<Boolean> EXECUTING = new Property<>(
            "hive.scheduled.queries.executor.enabled",
            PropertyType.flag(),
            "true",
            "Whether this server runs scheduled queries. One of the servers on a database runs each execution.");
    private static final Property<Duration> IDLE = new Property<>(
            "hive.scheduled.queries.executor.idle.sleep.time",
            PropertyType.time(SECOND),
            "60s",
            "Interval between searches for scheduled queries that are due. A statement that makes one due starts a "
                    + "search of its server.");
    private static final Property<Duration> REPORTS = new Property<>(
            "hive.scheduled.queries.executor.progress.report.interval",
            PropertyType.time(SECOND),
            "60s",
            "Interval between reports about running scheduled queries, which keep their executions from timing out.");
    private static final Property<Integer> EXECUTORS = new Property<>(
            "hive.scheduled.queries.max.executors",
            PropertyType.integer(1, 1000),
            "4",
            "Number of scheduled queries that this server runs at a time.");
    private static final Property<Duration> SILENCE = new Property<>(
            "metastore.scheduled.queries.execution.timeout",
            PropertyType.time(SECOND),
            "120s",
            "Time without a report after which an execution has timed out, and the scheduled query may run again. All "
                    + "servers and metastores of a database need the same value.");
    private static final Property<Duration> MAINTENANCE = new Property<>(
            "metastore.scheduled.queries.execution.maint.task.frequency",
            PropertyType.time(SECOND),
            "60s",
            "Interval between searches for executions that have timed out or are old.");
    private static final Property<Duration> AGE = new Property<>(
            "metastore.scheduled.queries.execution.max.age",
            PropertyType.signedTime(SECOND),
            "2592000s",
            "Age at which records of executions are deleted; a negative time keeps them.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES =
            List.of(ENABLED, EXECUTING, IDLE, REPORTS, EXECUTORS, SILENCE, MAINTENANCE, AGE);

    /** Reads the settings. The reader reports invalid ones. */
    public static ScheduleConfig of(SettingsReader settings) {
        ScheduleConfig config = new ScheduleConfig(
                settings.read(ENABLED, "hive.metastore.scheduled.queries.enabled"),
                settings.read(EXECUTING),
                settings.read(ScheduleSettings.NAMESPACE),
                settings.read(IDLE),
                settings.read(REPORTS),
                settings.read(EXECUTORS),
                settings.read(SILENCE, "hive.metastore.scheduled.queries.progress.timeout"),
                settings.read(MAINTENANCE, "hive.metastore.scheduled.queries.execution.clean.frequency"),
                settings.read(AGE, "hive.metastore.scheduled.queries.execution.max.age"));
        positive(config.idle(), IDLE, settings);
        positive(config.reports(), REPORTS, settings);
        positive(config.maintenance(), MAINTENANCE, settings);
        if (config.silence().compareTo(config.reports()) <= 0) {
            settings.refuse(
                    SILENCE.name(),
                    "it must be above " + REPORTS.name() + ", which is "
                            + config.reports().toMillis() + "ms: executions would time out while they run");
        }
        return config;
    }

    private static void positive(Duration interval, Property<Duration> property, SettingsReader settings) {
        if (interval.isZero()) {
            settings.refuse(property.name(), "it must be above 0");
        }
    }
}
