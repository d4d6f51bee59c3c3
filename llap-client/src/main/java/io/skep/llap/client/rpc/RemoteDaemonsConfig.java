package io.skep.llap.client.rpc;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.llap.client.DaemonEndpoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Settings for how a server finds its daemons.
 *
 * @param daemons empty for the daemon in the server's own process
 * @param patience how long a query waits when no daemon is available
 */
public record RemoteDaemonsConfig(List<DaemonEndpoint> daemons, Duration patience) {
    static final Property<List<DaemonEndpoint>> DAEMONS = new Property<>(
            "skep.llap.daemons",
            new PropertyType<>("host:port with commas between them", RemoteDaemonsConfig::endpoints),
            "",
            "Daemons of the server as host:port, separated by commas; when empty, one in its own process.");
    static final Property<Duration> WAIT = new Property<>(
            "skep.llap.wait-for-daemons",
            PropertyType.time(Duration.ofSeconds(1)),
            "5s",
            "Maximum time that a query waits for a daemon when there is none; then it fails.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(DAEMONS, WAIT);

    public RemoteDaemonsConfig {
        daemons = List.copyOf(daemons);
    }

    private static List<DaemonEndpoint> endpoints(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(one -> !one.isEmpty())
                .map(DaemonEndpoint::parse)
                .distinct()
                .toList();
    }

    public static RemoteDaemonsConfig of(SettingsReader settings) {
        return new RemoteDaemonsConfig(settings.read(DAEMONS), settings.read(WAIT));
    }
}
