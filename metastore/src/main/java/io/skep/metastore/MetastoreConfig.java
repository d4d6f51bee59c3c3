package io.skep.metastore;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecurityProperties;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.transaction.TransactionConfig;
import io.skep.storage.file.DefaultFileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Settings for the location of the catalog's database and of the warehouse. Keys are Hive's. Each is also accepted
 * under the metastore's own name ({@code metastore.*}).
 *
 * @param connectionUrl JDBC URL of a metastore database (javax.jdo.option.ConnectionURL); absent: Derby in the data
 *     directory
 * @param defaultFileSystem file system of locations without a scheme (fs.defaultFS)
 * @param warehouse folder of managed tables (hive.metastore.warehouse.dir), with scheme
 * @param externalWarehouse default folder of databases and external tables (hive.metastore.warehouse.external.dir)
 * @param connections maximum number of connections to the database (datanucleus.connectionPool.maxPoolSize), at least 2
 * @param pollInterval interval of polls for other servers' changes (hive.notification.event.poll.interval)
 * @param allChangesNotified whether all clients that change the database write its notification log; metastores of Hive
 *     do so when their listeners include DbNotificationListener (hive.metastore.transactional.event.listeners,
 *     hive.metastore.event.listeners)
 * @param admins users that are members of the role admin from the start (hive.users.in.admin.role)
 * @param transactions when transactions end without their owners
 * @param properties all settings of the site, for the library and the file systems
 */
public record MetastoreConfig(
        Optional<String> connectionUrl,
        Optional<String> driver,
        Optional<String> user,
        Optional<String> password,
        DefaultFileSystem defaultFileSystem,
        String warehouse,
        String externalWarehouse,
        int connections,
        Duration pollInterval,
        boolean allChangesNotified,
        List<String> admins,
        TransactionConfig transactions,
        Map<String, String> properties) {
    static final Property<Optional<String>> URL = new Property<>(
            "javax.jdo.option.ConnectionURL",
            PropertyType.optionalText(),
            "",
            "JDBC URL of the metastore's database; Derby in the data folder when not set.");
    static final Property<Optional<String>> DRIVER = new Property<>(
            "javax.jdo.option.ConnectionDriverName",
            PropertyType.optionalText(),
            "",
            "Class of the JDBC driver of the metastore's database.");
    static final Property<Optional<String>> USER = new Property<>(
            "javax.jdo.option.ConnectionUserName",
            PropertyType.optionalText(),
            "",
            "User of the metastore's database.");
    static final Property<Optional<String>> PASSWORD = new Property<>(
            "javax.jdo.option.ConnectionPassword",
            PropertyType.optionalText(),
            "",
            "Password of the user of the metastore's database.");
    private static final String HIVES_WAREHOUSE = "/user/hive/warehouse";

    static final Property<Optional<String>> WAREHOUSE = new Property<>(
            "hive.metastore.warehouse.dir",
            PropertyType.optionalText(),
            "",
            "Folder of managed tables. Default: in the data folder, or /user/hive/warehouse of an fs.defaultFS "
                    + "that is not local.");
    static final Property<Optional<String>> EXTERNAL_WAREHOUSE = new Property<>(
            "hive.metastore.warehouse.external.dir",
            PropertyType.optionalText(),
            "",
            "Folder of external tables without a location; by default that of managed tables.");
    static final Property<Integer> CONNECTIONS = new Property<>(
            "datanucleus.connectionPool.maxPoolSize",
            PropertyType.integer(2, 10_000),
            "10",
            "Maximum number of connections to the metastore's database.");
    static final Property<Duration> POLL_INTERVAL = new Property<>(
            "hive.notification.event.poll.interval",
            PropertyType.time(Duration.ofSeconds(1)),
            "250ms",
            "Interval between polls for changes that other servers have made.");

    private static final List<String> REMOTE = List.of("hive.metastore.uris", "metastore.thrift.uris");

    static final Property<String> TRANSACTIONAL_LISTENERS = new Property<>(
            "hive.metastore.transactional.event.listeners",
            PropertyType.text(),
            "",
            "Listeners of Hive's metastores on the same database. Skep caches definitions for longer than a "
                    + "minute only with DbNotificationListener here or in hive.metastore.event.listeners.");
    static final Property<String> LISTENERS = new Property<>(
            "hive.metastore.event.listeners",
            PropertyType.text(),
            "",
            "Like hive.metastore.transactional.event.listeners, for listeners that Hive calls after the "
                    + "transactions of the changes.");

    /** The listener that writes the notification log in a metastore of Hive. */
    private static final String LOG_WRITER = "DbNotificationListener";

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = Stream.of(
                    List.of(
                            URL,
                            DRIVER,
                            USER,
                            PASSWORD,
                            DefaultFileSystem.PROPERTY,
                            WAREHOUSE,
                            EXTERNAL_WAREHOUSE,
                            CONNECTIONS,
                            POLL_INTERVAL,
                            TRANSACTIONAL_LISTENERS,
                            LISTENERS,
                            SecurityProperties.ADMINS),
                    TransactionConfig.PROPERTIES)
            .<Property<?>>flatMap(List::stream)
            .toList();

    public MetastoreConfig {
        admins = List.copyOf(admins);
        properties = Map.copyOf(properties);
        List<String> problems = new ArrayList<>();
        if (connections < 2) {
            problems.add("datanucleus.connectionPool.maxPoolSize is " + connections + ", the least is 2");
        }
        if (pollInterval.isNegative() || pollInterval.isZero()) {
            problems.add("hive.notification.event.poll.interval is " + pollInterval + ", it must be above 0");
        }
        problems.addAll(transactions.problems());
        if (!problems.isEmpty()) {
            throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, String.join("; ", problems));
        }
    }

    /**
     * @param site settings by name, as in hive-site.xml
     * @throws SkepException INVALID_CONFIGURATION
     */
    public static MetastoreConfig of(Map<String, String> site, Path dataDirectory) {
        SettingsReader settings = new SettingsReader(site);
        MetastoreConfig config = of(settings, site, dataDirectory);
        settings.finish();
        return config;
    }

    /** The reader reports invalid settings. */
    public static MetastoreConfig of(SettingsReader settings, Map<String, String> site, Path dataDirectory) {
        DefaultFileSystem files = settings.read(DefaultFileSystem.PROPERTY);
        String warehouse = files.qualified(settings.read(WAREHOUSE, "metastore.warehouse.dir")
                .orElseGet(() -> files.isLocal()
                        ? dataDirectory
                                .toAbsolutePath()
                                .normalize()
                                .resolve("warehouse")
                                .toString()
                        : HIVES_WAREHOUSE));
        Optional<String> url = settings.read(URL, "metastore.connect.url.key");
        if (url.isEmpty()) {
            refuseRemote(settings, site);
        }
        return new MetastoreConfig(
                url,
                settings.read(DRIVER, "metastore.connect.driver.name"),
                settings.read(USER, "metastore.connection.user.name"),
                settings.read(PASSWORD, "metastore.connect.pwd"),
                files,
                warehouse,
                settings.read(EXTERNAL_WAREHOUSE, "metastore.warehouse.external.dir")
                        .map(files::qualified)
                        .orElse(warehouse),
                settings.read(CONNECTIONS, "datanucleus.connection-pool.max-pool-size"),
                settings.read(POLL_INTERVAL, "metastore.notification.event.poll.interval"),
                writesLog(settings.read(TRANSACTIONAL_LISTENERS, "metastore.transactional.event.listeners"))
                        || writesLog(settings.read(LISTENERS, "metastore.event.listeners")),
                settings.read(SecurityProperties.ADMINS, "metastore.users.in.admin.role"),
                TransactionConfig.of(settings),
                site);
    }

    /** Without the database's URL, a server of such a site would start with an empty catalog. */
    private static void refuseRemote(SettingsReader settings, Map<String, String> site) {
        for (String name : REMOTE) {
            if (!site.getOrDefault(name, "").isBlank()) {
                settings.refuse(
                        name,
                        "names a remote metastore, which is not supported yet; set " + URL.name()
                                + " to the metastore's database");
            }
        }
    }

    private static boolean writesLog(String listeners) {
        return Arrays.stream(listeners.split(",", -1)).map(String::strip).anyMatch(MetastoreConfig::isLogWriter);
    }

    /** Whether a class in a list of listeners is the one that writes the notification log, in any package. */
    public static boolean isLogWriter(String listener) {
        return listener.substring(listener.lastIndexOf('.') + 1).equals(LOG_WRITER);
    }
}
