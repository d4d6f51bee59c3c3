package io.skep.llap.server.process;

import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.SiteFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options that a daemon's process is started with.
 *
 * @param data folder of spill files, the disk cache and the file that records where it listens
 * @param site settings of the site's files and of the command line
 */
public record DaemonOptions(Path data, Map<String, String> site) {
    private static final List<String> SITE_FILES =
            List.of("core-site.xml", "hdfs-site.xml", "hive-site.xml", "llap-daemon-site.xml", "skep-site.xml");

    public DaemonOptions {
        site = Map.copyOf(site);
    }

    /**
     * Reads {@code --port}, {@code --ui-port}, {@code --data} and {@code --conf}. Other values come from the site
     * files.
     *
     * @throws SkepException INVALID_CONFIGURATION
     */
    public static DaemonOptions parse(String... arguments) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            boolean known = arguments[i].matches("--(port|ui-port|data|conf)");
            if (!known || i + 1 == arguments.length) {
                throw new SkepException(
                        StandardErrorCode.INVALID_CONFIGURATION,
                        known ? arguments[i] + " needs a value" : "unknown option " + arguments[i]);
            }
            options.put(arguments[i], arguments[i + 1]);
        }
        String conf = options.get("--conf");
        Map<String, String> site = new HashMap<>(conf == null ? Map.of() : SiteFiles.read(Path.of(conf), SITE_FILES));
        override(site, DaemonConfig.PORT, options.get("--port"));
        override(site, DaemonConfig.UI_PORT, options.get("--ui-port"));
        Path data = Path.of(options.getOrDefault("--data", "data/llap"))
                .toAbsolutePath()
                .normalize();
        return new DaemonOptions(data, site);
    }

    private static void override(Map<String, String> settings, Property<?> property, @Nullable String value) {
        if (value != null) {
            settings.put(property.name(), value);
        }
    }
}
