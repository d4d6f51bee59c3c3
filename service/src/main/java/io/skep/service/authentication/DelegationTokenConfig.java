package io.skep.service.authentication;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings of delegation tokens, with Hive's names.
 *
 * @param keyInterval time after which new tokens are signed with a new key
 * @param maxLifetime a token ends after this time, however often it is renewed
 * @param renewInterval a token ends after this time unless it is renewed
 * @param gcInterval time between removals of tokens that have ended
 * @param stored whether tokens are in the metastore database, for all servers on it
 */
public record DelegationTokenConfig(
        Duration keyInterval, Duration maxLifetime, Duration renewInterval, Duration gcInterval, boolean stored) {
    private static final String MEMORY = "MemoryTokenStore";
    private static final String DATABASE = "DBTokenStore";

    /** The packages in which releases of Hive have the stores. */
    private static final List<String> PACKAGES =
            List.of("org.apache.hadoop.hive.metastore.security.", "org.apache.hadoop.hive.thrift.");

    private static final Duration DAY = Duration.ofDays(1);

    static final Property<Duration> KEY_INTERVAL = new Property<>(
            "hive.cluster.delegation.key.update-interval",
            PropertyType.time(DAY),
            "1d",
            "Time after which new delegation tokens are signed with a new key.");
    static final Property<Duration> MAX_LIFETIME = new Property<>(
            "hive.cluster.delegation.token.max-lifetime",
            PropertyType.time(DAY),
            "7d",
            "Time after which a delegation token has ended, however often it was renewed.");
    static final Property<Duration> RENEW_INTERVAL = new Property<>(
            "hive.cluster.delegation.token.renew-interval",
            PropertyType.time(DAY),
            "1d",
            "Time after which a delegation token has ended unless it is renewed.");
    static final Property<Duration> GC_INTERVAL = new Property<>(
            "hive.cluster.delegation.token.gc-interval",
            PropertyType.time(Duration.ofMinutes(1)),
            "15m",
            "Time between removals of delegation tokens that have ended.");
    static final Property<String> STORE = new Property<>(
            "hive.cluster.delegation.token.store.class",
            new PropertyType<>("a MemoryTokenStore or DBTokenStore of Hive", DelegationTokenConfig::store),
            PACKAGES.getFirst() + MEMORY,
            "Where delegation tokens are kept: MemoryTokenStore, in the server that gave them, whose restart ends "
                    + "them; DBTokenStore, in the metastore database, for all servers on it.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES =
            List.of(KEY_INTERVAL, MAX_LIFETIME, RENEW_INTERVAL, GC_INTERVAL, STORE);

    static DelegationTokenConfig of(SettingsReader reader) {
        return new DelegationTokenConfig(
                positive(reader, KEY_INTERVAL),
                positive(reader, MAX_LIFETIME),
                positive(reader, RENEW_INTERVAL),
                positive(reader, GC_INTERVAL),
                reader.read(STORE).endsWith(DATABASE));
    }

    private static Duration positive(SettingsReader reader, Property<Duration> property) {
        Duration value = reader.read(property);
        if (value.toMillis() < 1) {
            reader.refuse(property.name(), "is less than a millisecond");
        }
        return value;
    }

    private static String store(String name) {
        if (PACKAGES.stream().noneMatch(known -> name.equals(known + MEMORY) || name.equals(known + DATABASE))) {
            throw new IllegalArgumentException(name);
        }
        return name;
    }
}
