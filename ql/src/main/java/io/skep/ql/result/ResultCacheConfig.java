package io.skep.ql.result;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the cache of query results. Keys are Hive's.
 *
 * @param maxBytes the memory that all results together may use, before the bound by the heap
 * @param maxEntryBytes the memory that one result may use
 * @param lifetime the time after which a result is not used any more; zero or less for no limit
 */
public record ResultCacheConfig(long maxBytes, long maxEntryBytes, Duration lifetime) {
    private static final Property<Long> MAX_BYTES = new Property<>(
            "hive.query.results.cache.max.size",
            PropertyType.count(0),
            "2147483648",
            "Bytes of memory for cached results of queries, and at most a sixteenth of the heap. 0: none are cached.");
    private static final Property<Long> MAX_ENTRY_BYTES = new Property<>(
            "hive.query.results.cache.max.entry.size",
            PropertyType.count(0),
            "10485760",
            "Bytes of memory of the largest result that is cached. Only results up to skep.query.max-kept-result are.");
    private static final Property<Duration> LIFETIME = new Property<>(
            "hive.query.results.cache.max.entry.lifetime",
            PropertyType.signedTime(Duration.ofSeconds(1)),
            "3600s",
            "Age at which a cached result is not used any more; 0 or a negative time sets no limit.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(MAX_BYTES, MAX_ENTRY_BYTES, LIFETIME);

    /** Reads the settings. The reader reports invalid ones. */
    public static ResultCacheConfig of(SettingsReader settings) {
        return new ResultCacheConfig(settings.read(MAX_BYTES), settings.read(MAX_ENTRY_BYTES), settings.read(LIFETIME));
    }
}
