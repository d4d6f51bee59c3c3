package io.skep.ql.analyze;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.parse.SemanticException;

/**
 * Hive's strict checks, by which a site or a session refuses queries that often are mistakes. Each has a setting;
 * {@code hive.mapred.mode} decides for all of them where it is set. Each method returns why a query is refused, in
 * Hive's words, or nothing.
 */
public final class StrictChecks {
    private static final List<String> SETTINGS = List.of(
            "hive.mapred.mode",
            "hive.strict.checks.orderby.no.limit",
            "hive.strict.checks.offset.no.orderby",
            "hive.strict.checks.no.partition.filter",
            "hive.strict.checks.type.safety",
            "hive.strict.checks.cartesian.product",
            "hive.strict.checks.bucketing");

    /** The checks of a session that sets none of them. */
    public static final StrictChecks DEFAULT = new StrictChecks(Map.of());

    private final Configuration settings = new Configuration(false);

    private StrictChecks(Map<String, String> explicit) {
        for (String setting : SETTINGS) {
            String value = explicit.get(setting);
            if (value != null) {
                settings.set(setting, value);
            }
        }
    }

    /** @param explicit all settings that are not Hive's defaults */
    public static StrictChecks of(Map<String, String> explicit) {
        return SETTINGS.stream().anyMatch(explicit::containsKey) ? new StrictChecks(explicit) : DEFAULT;
    }

    Optional<String> orderByWithoutLimit() {
        return Optional.ofNullable(HiveConf.StrictChecks.checkNoLimit(settings));
    }

    Optional<String> offsetWithoutOrderBy() {
        try {
            HiveConf.StrictChecks.checkOffsetWithoutOrderBy(settings);
            return Optional.empty();
        } catch (SemanticException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    /** Whether comparisons are refused that convert both sides to numbers and lose digits. */
    Optional<String> unsafeComparison() {
        return Optional.ofNullable(HiveConf.StrictChecks.checkTypeSafety(settings));
    }

    /** Whether scans of partitioned tables need a condition on a partition column. */
    public Optional<String> scanOfAllPartitions() {
        return Optional.ofNullable(HiveConf.StrictChecks.checkNoPartitionFilter(settings));
    }

    public Optional<String> cartesianProduct() {
        return Optional.ofNullable(HiveConf.StrictChecks.checkCartesian(settings));
    }

    /** Whether files may not be loaded into bucketed tables as they are. */
    public Optional<String> loadIntoBuckets() {
        return Optional.ofNullable(HiveConf.StrictChecks.checkBucketing(settings));
    }
}
