package io.skep.llap.server.process;

import io.skep.common.cli.CommandRunner;
import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
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
     * Reads a command line. Settings that it leaves open come from the site files.
     *
     * @throws SkepException INVALID_CONFIGURATION
     */
    public static DaemonOptions parse(String... arguments) {
        return of(CommandRunner.parse(new DaemonArguments(), arguments));
    }

    static DaemonOptions of(DaemonArguments arguments) {
        Path conf = arguments.conf;
        Map<String, String> site = new HashMap<>(conf == null ? Map.of() : SiteFiles.read(conf, SITE_FILES));
        override(site, DaemonConfig.PORT, arguments.port);
        override(site, DaemonConfig.UI_PORT, arguments.uiPort);
        return new DaemonOptions(arguments.data.toAbsolutePath().normalize(), site);
    }

    private static void override(Map<String, String> settings, Property<?> property, @Nullable Integer value) {
        if (value != null) {
            settings.put(property.name(), Integer.toString(value));
        }
    }
}
