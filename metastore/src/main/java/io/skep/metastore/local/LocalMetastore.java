package io.skep.metastore.local;

import io.skep.metastore.Catalog;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.cache.CacheFigures;
import io.skep.metastore.cache.CachedCatalog;
import io.skep.metastore.cache.ChangePoller;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.database.DerbyDatabase;
import io.skep.metastore.database.SharedDatabase;
import io.skep.metastore.hive.HiveCatalog;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The metastore of one server process: the catalog, its cache, and what must be closed with them. */
public final class LocalMetastore implements AutoCloseable {
    private static final String DERBY_FOLDER = "metastore";

    /** The cache may take this part of the heap. */
    private static final long HEAP_SHARE = 16;

    private final @Nullable DerbyDatabase derby;
    private final HiveCatalog store;
    private final CachedCatalog catalog;
    private final @Nullable ChangePoller poller;

    private LocalMetastore(@Nullable DerbyDatabase derby, HiveCatalog store, boolean shared, MetastoreConfig config) {
        this.derby = derby;
        this.store = store;
        this.catalog = new CachedCatalog(store, Runtime.getRuntime().maxMemory() / HEAP_SHARE, this::poll);
        this.poller = shared ? ChangePoller.start(store.changes(), catalog::apply, config.pollInterval()) : null;
    }

    /** @param data holds the embedded database, when the configuration names no other; stays open */
    public static LocalMetastore open(MetastoreConfig config, DataDirectory data) {
        Optional<String> url = config.connectionUrl();
        if (url.isPresent()) {
            SharedDatabase.prepare(url.get(), config.user(), config.password());
            boolean embedded = url.get().startsWith("jdbc:derby:");
            return new LocalMetastore(null, new HiveCatalog(config, url.get(), !embedded), !embedded, config);
        }
        DerbyDatabase derby = DerbyDatabase.open(data.resolve(DERBY_FOLDER));
        return new LocalMetastore(derby, new HiveCatalog(config, derby.url(), false), false, config);
    }

    public Catalog catalog() {
        return catalog;
    }

    /** The same catalog without the cache: each read is a round trip. */
    public Catalog uncached() {
        return store;
    }

    public CacheFigures cacheFigures() {
        return catalog.figures();
    }

    /** Takes in other servers' changes now instead of at the next interval. */
    public void poll() {
        if (poller != null) {
            poller.poll();
        }
    }

    @Override
    public void close() {
        if (poller != null) {
            poller.close();
        }
        store.close();
        if (derby != null) {
            derby.close();
        }
    }
}
