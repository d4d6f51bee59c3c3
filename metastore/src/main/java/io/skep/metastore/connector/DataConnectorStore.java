package io.skep.metastore.connector;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The data connectors of a metastore. All servers on its database share them. */
public interface DataConnectorStore {
    /** Returns all names, sorted. */
    List<String> names();

    Optional<DataConnector> find(String name);

    /** Creates a connector, and returns whether there was none of its name. */
    boolean create(DataConnector connector);

    /** Changes a connector, and returns whether there was one. */
    boolean alter(String name, UnaryOperator<DataConnector> change);

    /** Drops a connector, and returns whether there was one. Databases may still refer to it, as in Hive. */
    boolean drop(String name);
}
