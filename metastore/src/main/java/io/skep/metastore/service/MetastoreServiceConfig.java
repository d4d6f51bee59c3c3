package io.skep.metastore.service;

import io.skep.common.config.BindHost;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.common.kerberos.ServiceLogin;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.metastore.MetastoreConfig;
import io.skep.storage.file.SiteFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the metastore service. The names are Hive's where Hive has the setting.
 *
 * @param host name or address that the service listens on
 * @param port Thrift port; 0 for any free one
 * @param data data folder of the server, which contains the embedded database
 * @param metastore the database and the warehouse, as the server reads them
 * @param login with which it logs in to Hadoop, where that has Kerberos
 */
public record MetastoreServiceConfig(
        String host, int port, Path data, MetastoreConfig metastore, Optional<ServicePrincipal> login) {
    private static final int MAX_PORT = 65_535;

    static final Property<Integer> PORT = new Property<>(
            "hive.metastore.port",
            PropertyType.integer(0, MAX_PORT),
            "9083",
            "Thrift port of the metastore service; 0 takes any free one.");
    static final Property<String> BIND_HOST = new Property<>(
            "hive.metastore.thrift.bind.host",
            PropertyType.text(),
            "127.0.0.1",
            "Name or address that the metastore service listens on; 0.0.0.0 for all.");
    static final Property<Boolean> INSECURE_LISTEN = new Property<>(
            "skep.metastore.insecure-listen",
            PropertyType.flag(),
            "false",
            "Whether the metastore service may listen beyond the loopback although clients are not authenticated. "
                    + "Everyone who reaches its port can change and drop all tables.");
    static final Property<String> TRANSPORT = new Property<>(
            "hive.metastore.server.thrift.transport.mode",
            PropertyType.oneOf("binary"),
            "binary",
            "Transport of the metastore service.");
    static final Property<Integer> PROPERTIES_PORT = new Property<>(
            "hive.metastore.properties.servlet.port",
            PropertyType.integer(-1, -1),
            "-1",
            "Port of the HTTP endpoint for properties, which the metastore service does not have.");
    static final Property<String> STORE = new Property<>(
            "hive.metastore.rawstore.impl",
            PropertyType.oneOf("org.apache.hadoop.hive.metastore.ObjectStore"),
            "org.apache.hadoop.hive.metastore.ObjectStore",
            "Store of the metastore service. Hive's CachedStore is refused, because it sees the changes of servers "
                    + "late.");

    static final Property<Optional<String>> PRINCIPAL = new Property<>(
            "hive.metastore.kerberos.principal",
            ServicePrincipal.SETTING,
            "",
            "Name of the metastore service for HDFS with Kerberos, such as hive/_HOST@EXAMPLE.ORG; _HOST is the "
                    + "canonical name of its machine.");
    static final Property<Optional<Path>> KEYTAB = new Property<>(
            "hive.metastore.kerberos.keytab.file", PropertyType.optionalFile(), "", "File with the keys of that name.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES =
            List.of(PORT, BIND_HOST, INSECURE_LISTEN, TRANSPORT, PROPERTIES_PORT, STORE, PRINCIPAL, KEYTAB);

    /** @throws io.skep.common.error.SkepException INVALID_CONFIGURATION with all errors */
    static MetastoreServiceConfig of(MetastoreArguments arguments) {
        Map<String, String> site = new HashMap<>(arguments
                .conf
                .map(folder -> SiteFiles.read(Path.of(folder), SiteFiles.OF_SERVERS))
                .orElse(Map.of()));
        if (arguments.port != null) {
            site.put(PORT.name(), Integer.toString(arguments.port));
        }
        if (arguments.host != null) {
            site.put(BIND_HOST.name(), arguments.host);
        }
        return of(site, arguments.data.toAbsolutePath().normalize());
    }

    /** @throws io.skep.common.error.SkepException INVALID_CONFIGURATION with all errors */
    static MetastoreServiceConfig of(Map<String, String> site, Path data) {
        SettingsReader reader = new SettingsReader(site);
        MetastoreServiceConfig config = new MetastoreServiceConfig(
                reader.read(BIND_HOST, "metastore.thrift.bind.host"),
                reader.read(PORT, "metastore.thrift.port"),
                data,
                MetastoreConfig.of(reader, site, data),
                ServiceLogin.of(reader, PRINCIPAL, KEYTAB));
        var _ = reader.read(TRANSPORT, "metastore.server.thrift.transport.mode");
        var _ = reader.read(PROPERTIES_PORT);
        var _ = reader.read(STORE, "metastore.rawstore.impl");
        if (!reader.read(INSECURE_LISTEN) && !BindHost.isLoopback(config.host)) {
            reader.refuse(
                    BIND_HOST.name(),
                    "is '" + config.host + "', beyond the loopback: clients are not authenticated, and all of them"
                            + " could change and drop all tables; set " + INSECURE_LISTEN.name()
                            + "=true to accept that, or listen on 127.0.0.1");
        }
        reader.finish();
        return config;
    }
}
