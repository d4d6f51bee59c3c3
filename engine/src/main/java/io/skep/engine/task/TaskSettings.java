package io.skep.engine.task;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Map;

/**
 * The settings that operators look at.
 *
 * @param maxOperatorBytes skep.operator.max-memory: bytes that an operator holds before it spills; only memory pools limit it
 *     when absent
 * @param maxPartitionsPerDriver hive.exec.max.dynamic.partitions.pernode
 * @param defaultPartition hive.exec.default.partition.name
 */
record TaskSettings(long maxOperatorBytes, int maxPartitionsPerDriver, String defaultPartition) {
    static TaskSettings of(Map<String, String> settings) {
        return new TaskSettings(
                number(settings, "skep.operator.max-memory", Long.MAX_VALUE, 1),
                (int) number(settings, "hive.exec.max.dynamic.partitions.pernode", 100, 1),
                settings.getOrDefault("hive.exec.default.partition.name", "__HIVE_DEFAULT_PARTITION__"));
    }

    private static long number(Map<String, String> settings, String name, long absent, long least) {
        String text = settings.get(name);
        if (text == null || text.isBlank()) {
            return absent;
        }
        try {
            long value = Long.parseLong(text.strip());
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, name + " is '" + text + "', not a number", e);
        }
        throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, name + " is " + text + ", less than " + least);
    }
}
