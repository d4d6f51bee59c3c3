package io.skep.service.server;

import io.skep.engine.function.FunctionSettings;
import io.skep.engine.task.TaskSettings;
import io.skep.ql.session.HiveSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds settings of Hive in the site files that the server does not read. Settings of Hadoop, YARN and Tez are passed
 * to their libraries.
 */
final class IgnoredSettings {
    private static final int MAX_NAMES = 50;
    private static final String OF_HIVE = "hive.";

    private IgnoredSettings() {}

    /** Returns the names of settings without effect, in sorted order. */
    static List<String> of(Map<String, String> site) {
        return site.keySet().stream()
                .filter(name -> name.startsWith(OF_HIVE))
                .filter(name -> !isRead(name))
                .sorted()
                .toList();
    }

    private static boolean isRead(String name) {
        return ServerSettings.KNOWN.find(name).isPresent()
                || HiveSettings.READ.contains(name)
                || TaskSettings.NAMES.contains(name)
                || FunctionSettings.NAMES.contains(name)
                // The metastore's library reads its own settings.
                || name.startsWith("hive.metastore.")
                || SecuritySettings.isRefusable(name);
    }

    /** Returns one line of bounded length for the log, or empty when every setting is read. */
    static Optional<String> line(Map<String, String> site) {
        List<String> names = of(site);
        if (names.isEmpty()) {
            return Optional.empty();
        }
        String listed = String.join(", ", names.subList(0, Math.min(names.size(), MAX_NAMES)));
        String more = names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "";
        return Optional.of("Settings of Hive that have no effect here: " + listed + more);
    }
}
