package io.skep.service.server;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;

/**
 * Settings for how a server process monitors itself.
 *
 * @param interval time between two probes
 * @param timeout time without an answer and without any progress of clients' queries, after which the process exits;
 *     zero: never
 */
public record LivenessConfig(Duration interval, Duration timeout) {
    static final Property<Duration> INTERVAL = new Property<>(
            "skep.server.liveness-interval",
            PropertyType.time(Duration.ofSeconds(1)),
            "5s",
            "Interval between the queries with which a server process checks its port, its compiler and its "
                    + "executors.");
    static final Property<Duration> TIMEOUT = new Property<>(
            "skep.server.liveness-timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "60s",
            "Time after which a server process without an answer to its own queries, and without progress of any "
                    + "query, exits with status 4, to be restarted; 0: never.");

    static LivenessConfig of(SettingsReader reader) {
        return new LivenessConfig(reader.read(INTERVAL), reader.read(TIMEOUT));
    }

    boolean isEnabled() {
        return timeout.isPositive();
    }
}
