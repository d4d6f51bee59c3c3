package io.skep.llap.server.process;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecurityProperties;
import io.skep.common.config.SettingsReader;
import io.skep.common.kerberos.ServiceLogin;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.llap.client.audit.AuditConfig;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.rpc.RemoteDaemonsConfig;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.zookeeper.RegistryConfig;
import io.skep.llap.server.LlapConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a daemon in a process of its own.
 *
 * @param port for servers and other daemons; 0 for any free one
 * @param uiPort port of the web pages; 0 for any free one
 * @param bindHost name or address that it listens on
 * @param advertisedHost host by which others reach it; empty for the one that it listens on
 * @param drainTimeout how long it waits for its queries when it is asked to stop
 * @param slot its place on the ring of splits; empty for one that the registry assigns, or one derived from its address
 * @param pages how users reach its web pages
 * @param audit the log of external reads, and of logins to the pages
 * @param registry where it registers, if it does
 * @param login with which it logs in to Hadoop and ZooKeeper, where these have Kerberos
 */
public record DaemonConfig(
        int port,
        int uiPort,
        String bindHost,
        Optional<String> advertisedHost,
        Duration drainTimeout,
        Optional<Integer> slot,
        RpcConfig rpc,
        ExternalConfig external,
        PagesConfig pages,
        AuditConfig audit,
        RegistryConfig registry,
        LlapConfig sizes,
        Optional<ServicePrincipal> login) {
    static final Property<Integer> PORT = new Property<>(
            "hive.llap.daemon.rpc.port",
            PropertyType.port(),
            "15001",
            "Port of a daemon in a process of its own, for servers and other daemons; 0 takes any free one.");
    static final Property<Integer> UI_PORT = new Property<>(
            "hive.llap.daemon.web.port",
            PropertyType.port(),
            "15002",
            "Port of the web pages of a daemon in a process of its own; 0 takes any free one.");
    static final Property<String> BIND_HOST = new Property<>(
            "skep.llap.bind-host",
            PropertyType.text(),
            "127.0.0.1",
            "Name or address that a daemon in a process of its own listens on; 0.0.0.0 for all.");
    static final Property<Optional<String>> ADVERTISED_HOST = new Property<>(
            "skep.llap.advertised-host",
            PropertyType.optionalText(),
            "",
            "Host name that a daemon in a process of its own registers; by default what it listens on, or the "
                    + "machine's name.");
    static final Property<Duration> DRAIN_TIMEOUT = new Property<>(
            "skep.llap.drain-timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "30s",
            "Maximum time that a stopping daemon waits for its queries; 0: it does not wait.");
    static final Property<Optional<Integer>> SLOT = new Property<>(
            "skep.llap.slot",
            PropertyType.derivable(PropertyType.integer(0, Integer.MAX_VALUE)),
            PropertyType.AUTO,
            "Slot of a daemon in consistent hashing of splits; auto: the registry assigns it, or the address "
                    + "determines it.");

    static final Property<Optional<String>> PRINCIPAL = new Property<>(
            "hive.llap.daemon.service.principal",
            ServicePrincipal.SETTING,
            "",
            "Name of a daemon in a process of its own, and of its master on YARN, for HDFS and ZooKeeper with "
                    + "Kerberos, such as hive/_HOST@EXAMPLE.ORG; _HOST is the canonical name of its machine.");
    static final Property<Optional<Path>> KEYTAB = new Property<>(
            "hive.llap.daemon.keytab.file",
            PropertyType.optionalFile(),
            "",
            "File with the keys of that name; on YARN, on each node.");

    /** The properties of the process, in addition to those of its sizes, its connections and logins to its pages. */
    public static final List<Property<?>> PROPERTIES = Stream.concat(
                    Stream.<Property<?>>of(
                            PORT, UI_PORT, BIND_HOST, ADVERTISED_HOST, DRAIN_TIMEOUT, SLOT, PRINCIPAL, KEYTAB),
                    PagesConfig.OWN.stream())
            .toList();

    private static final List<Property<?>> ALL = Stream.of(
                    PROPERTIES,
                    PagesConfig.PROPERTIES,
                    LlapConfig.PROPERTIES,
                    RpcConfig.PROPERTIES,
                    ExternalConfig.PROPERTIES,
                    AuditConfig.PROPERTIES,
                    List.of(SecurityProperties.AUDIT),
                    RemoteDaemonsConfig.PROPERTIES)
            .<Property<?>>flatMap(List::stream)
            .toList();

    /** The prefix of the Skep properties that a daemon reads. Those without the prefix are for servers. */
    private static final String OWN = "skep.llap.";

    /** The prefix of the properties that its application master reads. */
    private static final String YARN = "skep.llap.yarn.";

    /**
     * @param data the folder for everything that has no other place
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION that lists all errors
     */
    public static DaemonConfig of(Map<String, String> settings, Path data) {
        Map<String, String> read = new HashMap<>(settings);
        List<String> names = ALL.stream().map(Property::name).toList();
        read.keySet().removeIf(name -> isForOthers(name) && !names.contains(name));
        SettingsReader reader = new SettingsReader(read);
        Optional<ServicePrincipal> login = ServiceLogin.of(reader, PRINCIPAL, KEYTAB);
        DaemonConfig config = new DaemonConfig(
                reader.read(PORT),
                reader.read(UI_PORT),
                reader.read(BIND_HOST),
                reader.read(ADVERTISED_HOST),
                reader.read(DRAIN_TIMEOUT),
                reader.read(SLOT),
                RpcConfig.of(reader),
                ExternalConfig.of(reader),
                PagesConfig.of(reader, reader.read(BIND_HOST)),
                AuditConfig.ofDaemon(reader, data),
                RegistryConfig.of(reader, login),
                LlapConfig.of(reader, data.resolve("spill")),
                login);
        reader.refuseUnknown(names.stream().collect(Collectors.toUnmodifiableSet()));
        reader.finish();
        return config;
    }

    /**
     * Checks how users would reach the web pages of daemons with these settings, which start elsewhere.
     *
     * @param bindHost what they listen on
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION that lists all errors
     */
    public static void checkPages(Map<String, String> settings, String bindHost) {
        SettingsReader reader = new SettingsReader(settings);
        var _ = PagesConfig.of(reader, bindHost);
        reader.finish();
    }

    /** Returns the names under which browsers reach the pages, in addition to those of the machine. */
    List<String> pageHosts() {
        return Stream.of(Stream.of(bindHost), advertisedHost.stream(), pages.hosts().stream())
                .flatMap(names -> names)
                .toList();
    }

    private static boolean isForOthers(String name) {
        return name.startsWith("skep.") && !name.startsWith(OWN) || name.startsWith(YARN);
    }

    /**
     * Reads with which principal a daemon with these settings logs in to Hadoop, where it has Kerberos.
     *
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION that lists all errors
     */
    public static Optional<ServicePrincipal> login(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        Optional<ServicePrincipal> login = ServiceLogin.of(reader, PRINCIPAL, KEYTAB);
        reader.finish();
        return login;
    }

    /** Reads how long a daemon with these settings waits for its queries when it is asked to stop. */
    public static Duration drainTimeout(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        Duration timeout = reader.read(DRAIN_TIMEOUT);
        reader.finish();
        return timeout;
    }
}
