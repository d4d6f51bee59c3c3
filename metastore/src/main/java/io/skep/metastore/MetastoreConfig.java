package io.skep.metastore;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the catalog's database and the warehouse are. Keys are Hive's, each also under the metastore's own name
 * ({@code metastore.*}).
 *
 * @param connectionUrl JDBC URL of a metastore database (javax.jdo.option.ConnectionURL); absent: Derby in the data directory
 * @param warehouse folder of managed tables (hive.metastore.warehouse.dir), with scheme
 * @param externalWarehouse default folder of databases and external tables (hive.metastore.warehouse.external.dir)
 * @param connections most connections to the database (datanucleus.connectionPool.maxPoolSize), at least 2
 * @param pollInterval how often other servers' changes are looked for (hive.notification.event.poll.interval)
 * @param properties all settings of the site, for the library and the file systems
 */
public record MetastoreConfig(
        Optional<String> connectionUrl,
        Optional<String> driver,
        Optional<String> user,
        Optional<String> password,
        String warehouse,
        String externalWarehouse,
        int connections,
        Duration pollInterval,
        Map<String, String> properties) {
    private static final int DEFAULT_CONNECTIONS = 10;
    private static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

    public MetastoreConfig {
        properties = Map.copyOf(properties);
        List<String> problems = new ArrayList<>();
        if (connections < 2) {
            problems.add("datanucleus.connectionPool.maxPoolSize is " + connections + ", the least is 2");
        }
        if (pollInterval.isNegative() || pollInterval.isZero()) {
            problems.add("hive.notification.event.poll.interval is " + pollInterval + ", it must be above 0");
        }
        if (!problems.isEmpty()) {
            throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, String.join("; ", problems));
        }
    }

    /** @param site settings by name, as in hive-site.xml */
    public static MetastoreConfig of(Map<String, String> site, Path dataDirectory) {
        String warehouse = get(site, "hive.metastore.warehouse.dir", "metastore.warehouse.dir")
                .map(MetastoreConfig::withScheme)
                .orElse("file:" + dataDirectory.toAbsolutePath().normalize().resolve("warehouse"));
        return new MetastoreConfig(
                get(site, "javax.jdo.option.ConnectionURL", "metastore.connect.url.key"),
                get(site, "javax.jdo.option.ConnectionDriverName", "metastore.connect.driver.name"),
                get(site, "javax.jdo.option.ConnectionUserName", "metastore.connection.user.name"),
                get(site, "javax.jdo.option.ConnectionPassword", "metastore.connect.pwd"),
                warehouse,
                get(site, "hive.metastore.warehouse.external.dir", "metastore.warehouse.external.dir")
                        .map(MetastoreConfig::withScheme)
                        .orElse(warehouse),
                get(site, "datanucleus.connectionPool.maxPoolSize", "datanucleus.connection-pool.max-pool-size")
                        .map(MetastoreConfig::integer)
                        .orElse(DEFAULT_CONNECTIONS),
                get(site, "hive.notification.event.poll.interval", "metastore.notification.event.poll.interval")
                        .map(MetastoreConfig::duration)
                        .orElse(DEFAULT_POLL_INTERVAL),
                site);
    }

    private static Optional<String> get(Map<String, String> site, String hiveName, String metastoreName) {
        return Optional.ofNullable(site.get(hiveName))
                .or(() -> Optional.ofNullable(site.get(metastoreName)))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    private static String withScheme(String location) {
        return location.startsWith("/") ? "file:" + location : location;
    }

    private static int integer(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "not a number: '" + text + "'", e);
        }
    }

    /** Hive's form: a number with an optional unit, seconds by default. */
    private static Duration duration(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        int number = integer(text.substring(0, digits));
        return switch (text.substring(digits).strip()) {
            case "ms", "msec" -> Duration.ofMillis(number);
            case "", "s", "sec" -> Duration.ofSeconds(number);
            case "m", "min" -> Duration.ofMinutes(number);
            case "h", "hour" -> Duration.ofHours(number);
            case "d", "day" -> Duration.ofDays(number);
            default ->
                throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "not a duration: '" + text + "'");
        };
    }
}
