package io.skep.metastore;

import java.util.Map;
import java.util.Optional;

/** A database (schema). Locations are absolute, with a scheme. */
public record Database(
        String name,
        Optional<String> comment,
        String location,
        Optional<String> managedLocation,
        String owner,
        boolean ownerIsRole,
        Map<String, String> properties) {
    /** The database that every catalog has, and that cannot be dropped. */
    public static final String DEFAULT_NAME = "default";

    public Database {
        properties = Map.copyOf(properties);
    }
}
