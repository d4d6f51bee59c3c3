package io.skep.metastore.hive;

import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DerbyDatabase;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.hive.metastore.PersistenceManagerProvider;

/** A Derby database of its own and the stores that work with it. */
final class DerbyStores implements AutoCloseable {
    private final DerbyDatabase database;
    private final StorePool pool;

    DerbyStores(Path folder, StorePool.Ending ending) {
        database = DerbyDatabase.open(folder);
        pool = new StorePool(
                LibrarySettings.of(MetastoreConfig.of(Map.of(), folder.resolveSibling("warehouse")), database.url()),
                2,
                ending);
    }

    StorePool pool() {
        return pool;
    }

    /** The library's factory fills its connections in a thread of its own, which would open the database again. */
    @Override
    public void close() {
        pool.close();
        PersistenceManagerProvider.closePmfIfNeeded(false, true);
        database.close();
    }
}
