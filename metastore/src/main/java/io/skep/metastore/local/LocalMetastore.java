package io.skep.metastore.local;

import io.skep.metastore.Catalog;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.database.DerbyDatabase;
import io.skep.metastore.hive.HiveCatalog;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The metastore of one server process: the catalog and what must be closed with it. */
public final class LocalMetastore implements AutoCloseable {
    private static final String DERBY_FOLDER = "metastore";

    private final @Nullable DerbyDatabase derby;
    private final HiveCatalog catalog;

    private LocalMetastore(@Nullable DerbyDatabase derby, HiveCatalog catalog) {
        this.derby = derby;
        this.catalog = catalog;
    }

    /** @param data holds the embedded database, when the configuration names no other; stays open */
    public static LocalMetastore open(MetastoreConfig config, DataDirectory data) {
        Optional<String> url = config.connectionUrl();
        DerbyDatabase derby = url.isPresent() ? null : DerbyDatabase.open(data.resolve(DERBY_FOLDER));
        String connectionUrl = derby == null ? url.orElseThrow() : derby.url();
        HiveCatalog catalog = new HiveCatalog(config, connectionUrl, !connectionUrl.startsWith("jdbc:derby:"));
        return new LocalMetastore(derby, catalog);
    }

    public Catalog catalog() {
        return catalog;
    }

    @Override
    public void close() {
        catalog.close();
        if (derby != null) {
            derby.close();
        }
    }
}
