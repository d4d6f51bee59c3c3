package io.skep.llap.client.zookeeper;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.common.kerberos.ServicePrincipal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name under which daemons are registered.
 *
 * @param name of the registry; absent: the only daemon is in the server's process
 * @param namespace the node above all registries
 */
public record RegistryConfig(Optional<String> name, String namespace, ZooKeeperConfig zooKeeper) {
    private static final Pattern NAME = Pattern.compile("@([A-Za-z0-9_.-]+)");

    private static final Property<Optional<String>> HOSTS = new Property<>(
            "hive.llap.daemon.service.hosts",
            new PropertyType<>("@ and a name of letters, digits, '_', '.' and '-', or nothing", RegistryConfig::name),
            "",
            "Name under which daemons register in ZooKeeper and servers find them; empty: one daemon in the "
                    + "server's process.");
    private static final Property<String> NAMESPACE = new Property<>(
            "hive.llap.zk.registry.namespace",
            new PropertyType<>("a name without '/'", RegistryConfig::node),
            "skep-llap",
            "ZooKeeper node above all registries of daemons.");

    /** The properties of the registry itself. */
    public static final List<Property<?>> PROPERTIES = List.of(HOSTS, NAMESPACE);

    /**
     * Reads the settings. The reader reports what is wrong with them.
     *
     * @param login of the process, where Hadoop has Kerberos
     */
    public static RegistryConfig of(SettingsReader reader, Optional<ServicePrincipal> login) {
        return new RegistryConfig(reader.read(HOSTS), reader.read(NAMESPACE), ZooKeeperConfig.of(reader, login));
    }

    private static Optional<String> name(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = NAME.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException();
        }
        return Optional.of(matcher.group(1));
    }

    private static String node(String text) {
        if (text.isEmpty() || text.contains("/")) {
            throw new IllegalArgumentException();
        }
        return text;
    }
}
