package io.skep.service.server;

import io.skep.engine.function.FunctionSettings;
import io.skep.engine.task.TaskSettings;
import io.skep.ql.session.HiveSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of Hive in the site files that nothing in the server reads. Hadoop's, YARN's and Tez's are passed on to
 * their libraries.
 */
final class IgnoredSettings {
    private static final int MAX_NAMES = 50;
    private static final String OF_HIVE = "hive.";

    private IgnoredSettings() {}

    /** Names without effect, in their order. */
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
                || SecuritySettings.isJudged(name);
    }

    /** One line for the log, of bounded length; empty when everything is read. */
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
