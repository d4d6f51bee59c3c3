package io.skep.engine.operator.script;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Function;

/**
 * What a script's run gets from its task and process.
 *
 * @param name names the task, for messages and the log
 * @param settings the settings that tasks get
 * @param variables the environment of this process
 * @param files finds a file of the plan on this machine by its URI
 * @param pause how long what a script leaves behind may hold its output without writing, and how long a script that
 *     has refused its input may go on
 */
public record ScriptContext(
        String name,
        Map<String, String> settings,
        ZoneId zone,
        Map<String, String> variables,
        Function<String, Path> files,
        Duration pause) {
    /** The pause of tasks. */
    public static final Duration PAUSE = Duration.ofSeconds(10);
}
