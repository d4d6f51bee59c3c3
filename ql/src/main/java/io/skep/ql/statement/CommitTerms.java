package io.skep.ql.statement;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * How servers on one metastore database take turns on a table.
 *
 * @param lease a commit of which nothing is heard for so long is ended by another server
 * @param patience how long a statement waits for a commit that goes on
 */
public record CommitTerms(Duration lease, Duration patience) {
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private static final Property<Duration> LEASE = new Property<>(
            "skep.commit.lease",
            new PropertyType<>("a time of 1s or more (s without a unit)", CommitTerms::lease),
            "20s",
            "After so long without a sign of life from a server, another one ends the commit that it has under way.");
    private static final Property<Duration> PATIENCE = new Property<>(
            "skep.commit.wait",
            PropertyType.time(Duration.ofSeconds(1)),
            "5m",
            "How long a statement waits for other commits to its table.");

    public static final List<Property<?>> PROPERTIES = List.of(LEASE, PATIENCE);

    private static Duration lease(String text) {
        Duration lease = PropertyType.time(Duration.ofSeconds(1)).parse(text);
        if (lease.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException();
        }
        return lease;
    }

    /** What is wrong is told by the reader. */
    public static CommitTerms of(SettingsReader settings) {
        return new CommitTerms(settings.read(LEASE), settings.read(PATIENCE));
    }
}
