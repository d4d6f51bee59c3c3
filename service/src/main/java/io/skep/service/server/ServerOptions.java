package io.skep.service.server;

import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * What a server is started with.
 *
 * @param port of JDBC; 0 for any free one
 * @param uiPort of the pages; 0 for any free one
 * @param data where metastore, warehouse and spill files are
 * @param site settings of hive-site.xml and skep-site.xml
 */
public record ServerOptions(int port, int uiPort, Path data, Map<String, String> site) {
    public ServerOptions {
        site = Map.copyOf(site);
    }

    /**
     * Reads {@code --port}, {@code --ui-port}, {@code --data} and {@code --conf}; what they leave open comes from the site files,
     * then from Hive's defaults.
     *
     * @throws SkepException INVALID_CONFIGURATION
     */
    public static ServerOptions parse(String... arguments) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            boolean known = arguments[i].matches("--(port|ui-port|data|conf)");
            if (!known || i + 1 == arguments.length) {
                throw invalid(known ? arguments[i] + " needs a value" : "unknown option " + arguments[i]);
            }
            options.put(arguments[i], arguments[i + 1]);
        }
        Map<String, String> site = site(options.get("--conf"));
        Map<String, String> effective = new HashMap<>(site);
        override(effective, ServerConfig.PORT, options.get("--port"));
        override(effective, ServerConfig.UI_PORT, options.get("--ui-port"));
        Path data =
                Path.of(options.getOrDefault("--data", "data")).toAbsolutePath().normalize();
        ServerConfig config = ServerConfig.of(effective, data);
        return new ServerOptions(config.port(), config.uiPort(), data, site);
    }

    private static void override(Map<String, String> settings, Property<?> property, @Nullable String value) {
        if (value != null) {
            settings.put(property.name(), value);
        }
    }

    private static Map<String, String> site(@Nullable String folder) {
        Map<String, String> settings = new HashMap<>();
        if (folder == null) {
            return settings;
        }
        if (!Files.isDirectory(Path.of(folder))) {
            throw invalid("there is no folder " + folder);
        }
        for (String name : new String[] {"hive-site.xml", "hiveserver2-site.xml", "skep-site.xml"}) {
            Path file = Path.of(folder, name);
            if (Files.exists(file)) {
                Configuration configuration = new Configuration(false);
                configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
                configuration.forEach(entry -> settings.put(entry.getKey(), configuration.get(entry.getKey())));
            }
        }
        return settings;
    }

    private static SkepException invalid(String what) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, what);
    }
}
