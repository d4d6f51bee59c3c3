package io.skep.llap.client.zookeeper;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.ServicePrincipal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The address of ZooKeeper, its timeouts and retries, and who this process is for it.
 *
 * @param connectString hosts with ports, separated by commas; empty without ZooKeeper
 * @param sessionTimeout after which ZooKeeper considers a silent process dead
 * @param connectionTimeout how long a connection may take
 * @param baseSleep pause before the first retry; each next one is longer
 * @param maxRetries retries of one request
 * @param login with which the process logs in and owns its nodes; absent: everyone may change them
 */
public record ZooKeeperConfig(
        String connectString,
        Duration sessionTimeout,
        Duration connectionTimeout,
        Duration baseSleep,
        int maxRetries,
        Optional<ServicePrincipal> login) {
    private static final Property<String> QUORUM = new Property<>(
            "hive.zookeeper.quorum",
            PropertyType.text(),
            "",
            "Hosts of ZooKeeper, with or without ports, separated by commas.");
    private static final Property<Integer> PORT = new Property<>(
            "hive.zookeeper.client.port",
            PropertyType.integer(1, 65535),
            "2181",
            "Port of ZooKeeper, for hosts of the quorum without one.");
    private static final Property<Duration> SESSION_TIMEOUT = new Property<>(
            "hive.zookeeper.session.timeout",
            PropertyType.time(Duration.ofMillis(1)),
            "120000ms",
            "Time after which ZooKeeper removes a server or daemon that is silent.");
    private static final Property<Duration> CONNECTION_TIMEOUT = new Property<>(
            "hive.zookeeper.connection.timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "15s",
            "Timeout of a connection attempt to ZooKeeper.");
    private static final Property<Duration> BASE_SLEEP = new Property<>(
            "hive.zookeeper.connection.basesleeptime",
            PropertyType.time(Duration.ofMillis(1)),
            "1000ms",
            "Pause before a request to ZooKeeper is retried; it grows with each retry.");
    private static final Property<Integer> MAX_RETRIES = new Property<>(
            "hive.zookeeper.connection.max.retries",
            PropertyType.integer(0, 29),
            "3",
            "Maximum number of retries of a request to ZooKeeper.");
    private static final Property<String> SSL = new Property<>(
            "hive.zookeeper.ssl.client.enable",
            PropertyType.oneOf("false"),
            "false",
            "Encrypted connections to ZooKeeper; not supported yet.");
    private static final Property<Boolean> KERBEROS = new Property<>(
            "hive.zookeeper.kerberos.enabled",
            PropertyType.flag(),
            "true",
            "Whether processes log in to ZooKeeper by Kerberos and close their nodes to others, where "
                    + "hadoop.security.authentication is kerberos.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES =
            List.of(QUORUM, PORT, SESSION_TIMEOUT, CONNECTION_TIMEOUT, BASE_SLEEP, MAX_RETRIES, SSL, KERBEROS);

    /**
     * Reads the settings. The reader reports what is wrong with them.
     *
     * @param login of the process, where Hadoop has Kerberos
     */
    public static ZooKeeperConfig of(SettingsReader reader, Optional<ServicePrincipal> login) {
        boolean kerberos = reader.read(KERBEROS);
        reader.read(SSL);
        int port = reader.read(PORT);
        String connect = Arrays.stream(reader.read(QUORUM).split(","))
                .map(String::strip)
                .filter(host -> !host.isEmpty())
                .map(host -> host.matches(".*:\\d+") ? host : host + ":" + port)
                .collect(Collectors.joining(","));
        return new ZooKeeperConfig(
                connect,
                reader.read(SESSION_TIMEOUT),
                reader.read(CONNECTION_TIMEOUT),
                reader.read(BASE_SLEEP),
                reader.read(MAX_RETRIES),
                login.filter(_ -> kerberos));
    }

    /**
     * Returns this configuration for a feature that requires ZooKeeper.
     *
     * @param what needs it
     * @throws SkepException INVALID_CONFIGURATION when no quorum is set
     */
    public ZooKeeperConfig requiredFor(String what) {
        if (connectString.isEmpty()) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, what + " needs ZooKeeper: set " + QUORUM.name());
        }
        return this;
    }
}
