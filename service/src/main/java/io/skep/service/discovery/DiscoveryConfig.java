package io.skep.service.discovery;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.llap.client.zookeeper.ZooKeeperConfig;
import java.util.List;
import java.util.Optional;

/**
 * Settings for whether and where a server is registered.
 *
 * @param namespace the ZooKeeper node that contains the servers
 * @param publishSettings whether the entry contains connection settings, or only the address
 */
public record DiscoveryConfig(boolean enabled, String namespace, boolean publishSettings, ZooKeeperConfig zooKeeper) {
    private static final Property<Boolean> ENABLED = new Property<>(
            "hive.server2.support.dynamic.service.discovery",
            PropertyType.flag(),
            "false",
            "Whether clients find this server through ZooKeeper.");
    private static final Property<String> NAMESPACE = new Property<>(
            "hive.server2.zookeeper.namespace",
            new PropertyType<>("a name without '/'", DiscoveryConfig::node),
            "hiveserver2",
            "ZooKeeper node under which servers register: zooKeeperNamespace in a client's URL.");
    private static final Property<Boolean> PUBLISH = new Property<>(
            "hive.server2.zookeeper.publish.configs",
            PropertyType.flag(),
            "true",
            "Whether a server's ZooKeeper node holds its connection settings, or its address only.");
    private static final Property<String> ACTIVE_PASSIVE = new Property<>(
            "hive.server2.active.passive.ha.enable",
            PropertyType.oneOf("false"),
            "false",
            "Passive standby servers; not supported: all registered servers are active.");

    /** The properties of discovery itself. */
    public static final List<Property<?>> PROPERTIES = List.of(ENABLED, NAMESPACE, PUBLISH, ACTIVE_PASSIVE);

    /**
     * The reader reports invalid settings.
     *
     * @param login of the process, where Hadoop has Kerberos
     */
    public static DiscoveryConfig of(SettingsReader reader, Optional<ServicePrincipal> login) {
        reader.read(ACTIVE_PASSIVE);
        return new DiscoveryConfig(
                reader.read(ENABLED), reader.read(NAMESPACE), reader.read(PUBLISH), ZooKeeperConfig.of(reader, login));
    }

    private static String node(String text) {
        if (text.isEmpty() || text.contains("/")) {
            throw new IllegalArgumentException();
        }
        return text;
    }
}
