package io.skep.tez.dag;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.util.List;
import java.util.Map;

/**
 * Settings for adapting vertices to the rows that have arrived.
 *
 * @param fewerTasks whether a vertex gets fewer tasks than planned when its input is small
 * @param taskBytes input that is worth a task
 * @param skewFactor a partition is read by several tasks when it exceeds this many times the median; 0: never
 * @param skewBytes a partition smaller than this is read by one task in any case
 * @param switchFactor a join is built from its left side when the right one is larger by this factor; 0: never
 */
public record VertexConfig(boolean fewerTasks, long taskBytes, long skewFactor, long skewBytes, long switchFactor) {
    static final Property<Boolean> FEWER_TASKS = new Property<>(
            "hive.tez.auto.reducer.parallelism",
            PropertyType.flag(),
            "true",
            "Whether the number of tasks of a vertex is adapted to the rows that have arrived, when they are "
                    + "fewer than planned or skewed.");
    static final Property<Long> TASK_BYTES = new Property<>(
            "hive.exec.reducers.bytes.per.reducer",
            PropertyType.count(1),
            "16777216",
            "Bytes of rows in memory for each task after an exchange through Tez.");
    static final Property<Long> SKEW_FACTOR = new Property<>(
            "skep.tez.skew-factor",
            PropertyType.count(0),
            "5",
            "A partition of a join's probe side that is larger than the median by more than this factor is read "
                    + "by several tasks; 0: never.");
    static final Property<Long> SKEW_BYTES = new Property<>(
            "skep.tez.skew-size",
            PropertyType.size(0, Long.MAX_VALUE),
            "64mb",
            "Minimum size in memory of a partition that is read by several tasks.");

    static final Property<Long> SWITCH_FACTOR = new Property<>(
            "skep.tez.join-switch-factor",
            PropertyType.count(0),
            "4",
            "Sides of a join through Tez are switched when the build side is larger than the probe side by more "
                    + "than this factor; 0: never.");

    /** All properties; read when a query runs. */
    public static final List<Property<?>> PROPERTIES =
            List.of(FEWER_TASKS, TASK_BYTES, SKEW_FACTOR, SKEW_BYTES, SWITCH_FACTOR);

    static VertexConfig of(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        VertexConfig read = new VertexConfig(
                reader.read(FEWER_TASKS),
                reader.read(TASK_BYTES),
                reader.read(SKEW_FACTOR),
                reader.read(SKEW_BYTES),
                reader.read(SWITCH_FACTOR));
        reader.finish();
        return read;
    }
}
