package io.skep.engine.task;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.operator.script.ScriptSettings;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings that operators read, except those of scripts.
 *
 * @param maxOperatorBytes skep.operator.max-memory: bytes that an operator holds before it spills; if absent, only
 *     memory pools limit it
 * @param maxPartitionsPerDriver hive.exec.max.dynamic.partitions.pernode
 * @param defaultPartition hive.exec.default.partition.name
 */
public record TaskSettings(long maxOperatorBytes, int maxPartitionsPerDriver, String defaultPartition) {
    private static final String OPERATOR_MEMORY = "skep.operator.max-memory";
    private static final String DYNAMIC_PARTITIONS = "hive.exec.max.dynamic.partitions.pernode";
    private static final String DEFAULT_PARTITION = "hive.exec.default.partition.name";

    /** The names of all these settings. They are sent with each task. */
    public static final Set<String> NAMES = Stream.concat(
                    Stream.of(OPERATOR_MEMORY, DYNAMIC_PARTITIONS, DEFAULT_PARTITION), ScriptSettings.NAMES.stream())
            .collect(Collectors.toUnmodifiableSet());

    static TaskSettings of(Map<String, String> settings) {
        return new TaskSettings(
                number(settings, OPERATOR_MEMORY, Long.MAX_VALUE, 1),
                (int) number(settings, DYNAMIC_PARTITIONS, 100, 1),
                settings.getOrDefault(DEFAULT_PARTITION, "__HIVE_DEFAULT_PARTITION__"));
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
