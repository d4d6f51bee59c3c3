package io.skep.common.config;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Former names of settings. A former name is a deprecated alias: its value counts where the setting has no value under
 * its present name, and a warning names the present one.
 */
public final class RenamedSettings {
    private static final Logger LOG = LoggerFactory.getLogger(RenamedSettings.class);

    /** Former names and the present ones. */
    static final Map<String, String> PRESENT_NAMES = Map.of(
            "skep.commit.wait", "skep.commit.lock-timeout",
            "skep.llap.yarn.longest-silence", "skep.llap.yarn.liveness-timeout",
            "skep.server.training-queries", "skep.server.warmup-queries",
            "skep.spill.max-bytes", "skep.spill.max-bytes-per-task");

    private RenamedSettings() {}

    /** Returns the present name of a setting, and logs a warning when the given one is a former name. */
    public static String presentName(String name) {
        String present = PRESENT_NAMES.get(name);
        if (present == null) {
            return name;
        }
        LOG.warn("The setting {} is deprecated; its name is {}", name, present);
        return present;
    }

    /** Returns settings under their present names. A value under the present name takes precedence. */
    public static Map<String, String> withPresentNames(Map<String, String> settings) {
        if (PRESENT_NAMES.keySet().stream().noneMatch(settings::containsKey)) {
            return settings;
        }
        Map<String, String> renamed = new HashMap<>(settings);
        PRESENT_NAMES.keySet().forEach(former -> {
            String value = renamed.remove(former);
            if (value != null) {
                renamed.putIfAbsent(presentName(former), value);
            }
        });
        return renamed;
    }
}
