package io.skep.metastore.connector;

import java.util.Map;
import java.util.Optional;

/**
 * A name for another database system.
 *
 * @param name in lower case
 * @param type of the system, such as mysql; any text
 * @param properties for connections, which may contain passwords
 */
public record DataConnector(
        String name,
        String type,
        String url,
        Optional<String> comment,
        String owner,
        boolean ownerIsRole,
        Map<String, String> properties) {
    public DataConnector {
        properties = Map.copyOf(properties);
    }
}
