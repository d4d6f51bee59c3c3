package io.skep.tez;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.util.List;
import java.util.Map;

/**
 * How vertices are fitted to the rows that have come.
 *
 * @param fewerTasks whether a vertex gets fewer tasks than planned when its input is small
 * @param taskBytes input that is worth a task
 */
public record VertexSettings(boolean fewerTasks, long taskBytes) {
    static final Property<Boolean> FEWER_TASKS = new Property<>(
            "hive.tez.auto.reducer.parallelism",
            PropertyType.flag(),
            "true",
            "Whether a vertex gets fewer tasks than planned when the rows that have come for it are few.");
    static final Property<Long> TASK_BYTES = new Property<>(
            "hive.exec.reducers.bytes.per.reducer",
            PropertyType.count(1),
            "16777216",
            "Bytes of rows, as they are in memory, that are worth a task of their own after an exchange through Tez.");

    /** All of them; read when a query runs. */
    public static final List<Property<?>> PROPERTIES = List.of(FEWER_TASKS, TASK_BYTES);

    static VertexSettings of(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        VertexSettings read = new VertexSettings(reader.read(FEWER_TASKS), reader.read(TASK_BYTES));
        reader.finish();
        return read;
    }
}
