package io.skep.service.server;

import io.skep.common.cli.CommandRunner;
import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
import io.skep.service.http.HttpConfig;
import io.skep.storage.file.SiteFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of a server's start.
 *
 * @param port JDBC port; 0 for any free one
 * @param uiPort port of the web pages; 0 for any free one
 * @param data folder of metastore, warehouse and spill files
 * @param site settings of Hadoop's site files, hive-site.xml and skep-site.xml; later files take precedence
 * @param conf the site files' folder, which statements cannot access
 */
public record ServerOptions(int port, int uiPort, Path data, Map<String, String> site, Optional<Path> conf) {
    public ServerOptions {
        site = Map.copyOf(site);
    }

    /** Creates options whose settings do not come from a folder. */
    public ServerOptions(int port, int uiPort, Path data, Map<String, String> site) {
        this(port, uiPort, data, site, Optional.empty());
    }

    /**
     * The location of a server's data and settings.
     *
     * @param site the settings of the site files, not validated
     * @param conf the site files' folder
     */
    public record Places(Path data, Map<String, String> site, Optional<String> conf) {
        public Places {
            site = Map.copyOf(site);
        }

        /** @throws SkepException INVALID_CONFIGURATION for a folder of settings that is not there */
        public static Places of(PlaceArguments arguments) {
            return new Places(
                    arguments.data.toAbsolutePath().normalize(),
                    arguments
                            .conf
                            .map(folder -> SiteFiles.read(Path.of(folder), SiteFiles.OF_SERVERS))
                            .orElse(Map.of()),
                    arguments.conf);
        }

        /**
         * Reads {@code --data} and {@code --conf}.
         *
         * @throws SkepException INVALID_CONFIGURATION for other options, or a folder that does not exist
         */
        public static Places parse(String... arguments) {
            return of(CommandRunner.parse(new PlaceArguments(), arguments));
        }
    }

    /**
     * Reads a command line. Settings that it leaves open come from the site files, then from Hive's defaults.
     *
     * @throws SkepException INVALID_CONFIGURATION
     */
    public static ServerOptions parse(String... arguments) {
        return of(CommandRunner.parse(new ServerArguments(), arguments));
    }

    /** @throws SkepException INVALID_CONFIGURATION for settings that are wrong */
    public static ServerOptions of(ServerArguments arguments) {
        Places places = Places.of(arguments.places);
        Map<String, String> effective = new HashMap<>(places.site());
        override(effective, ServerConfig.PORT, arguments.port);
        override(effective, ServerConfig.UI_PORT, arguments.uiPort);
        ServerConfig config = ServerConfig.of(effective, places.data());
        Map<String, String> site = new HashMap<>(places.site());
        if (!config.wire().isBinary()) {
            override(site, HttpConfig.PORT, arguments.port);
        }
        return new ServerOptions(
                config.port(),
                config.uiPort(),
                places.data(),
                site,
                places.conf().map(Path::of));
    }

    private static void override(Map<String, String> settings, Property<?> property, @Nullable Integer value) {
        if (value != null) {
            settings.put(property.name(), Integer.toString(value));
        }
    }
}
