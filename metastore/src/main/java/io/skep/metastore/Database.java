package io.skep.metastore;

import java.util.Map;
import java.util.Optional;

/**
 * A database (schema). Locations are absolute, with a scheme.
 *
 * @param remote the database of another system that it stands for
 */
public record Database(
        String name,
        Optional<String> comment,
        String location,
        Optional<String> managedLocation,
        String owner,
        boolean ownerIsRole,
        Map<String, String> properties,
        Optional<Remote> remote) {
    /** The database that every catalog has, and that cannot be dropped. */
    public static final String DEFAULT_NAME = "default";

    /**
     * A database of another system.
     *
     * @param connector the name of the data connector, which may not exist any more
     * @param database its name there
     */
    public record Remote(String connector, String database) {}

    public Database {
        properties = Map.copyOf(properties);
    }

    /** Creates a database whose tables are here. */
    public Database(
            String name,
            Optional<String> comment,
            String location,
            Optional<String> managedLocation,
            String owner,
            boolean ownerIsRole,
            Map<String, String> properties) {
        this(name, comment, location, managedLocation, owner, ownerIsRole, properties, Optional.empty());
    }
}
