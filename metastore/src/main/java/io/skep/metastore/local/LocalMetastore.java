package io.skep.metastore.local;

import io.skep.metastore.Catalog;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.database.DerbyDatabase;
import io.skep.metastore.database.SharedDatabase;
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
        if (url.isPresent()) {
            SharedDatabase.prepare(url.get(), config.user(), config.password());
            return new LocalMetastore(null, new HiveCatalog(config, url.get(), true));
        }
        DerbyDatabase derby = DerbyDatabase.open(data.resolve(DERBY_FOLDER));
        return new LocalMetastore(derby, new HiveCatalog(config, derby.url(), false));
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
