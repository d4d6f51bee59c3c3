package io.skep.metastore.testing;

import io.skep.metastore.Catalog;
import io.skep.metastore.Database;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.database.DerbyDatabase;
import io.skep.metastore.database.Trees;
import io.skep.metastore.local.LocalMetastore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A catalog on a fresh Derby database and an empty warehouse in a temporary folder. Closing it deletes the folder. Open
 * only one at a time. Opening takes seconds, so the tests of one class share one and {@link #clear} it.
 */
public final class TestingMetastore implements AutoCloseable {
    private final DataDirectory data;
    private final LocalMetastore metastore;

    private TestingMetastore(DataDirectory data, LocalMetastore metastore) {
        this.data = data;
        this.metastore = metastore;
    }

    public static TestingMetastore open() {
        return open(Map.of());
    }

    /** @param site settings as in hive-site.xml */
    public static TestingMetastore open(Map<String, String> site) {
        try {
            DataDirectory data = DataDirectory.open(Files.createTempDirectory("skep-metastore"));
            return new TestingMetastore(data, LocalMetastore.open(MetastoreConfig.of(site, data.path()), data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Catalog catalog() {
        return metastore.catalog();
    }

    public LocalMetastore metastore() {
        return metastore;
    }

    /** Returns the temporary folder, which contains the warehouse. */
    public Path folder() {
        return data.path();
    }

    public Path warehouse() {
        return data.resolve("warehouse");
    }

    /** Returns marks of commits on the database, as another server sees them. The caller must close them. */
    public LeaseStore commitMarks(String server) {
        MetastoreConfig config = MetastoreConfig.of(Map.of(), data.path());
        String url = DerbyDatabase.open(data.resolve("metastore")).url();
        return LeaseStore.open(config, url, server, "server " + server);
    }

    /** Drops all databases, tables and functions. */
    public void clear() {
        clear(catalog());
    }

    /** Clears through the given catalog. Another catalog's cache is not notified. */
    public static void clear(Catalog catalog) {
        for (var function : catalog.functions()) {
            catalog.dropFunction(function.database(), function.name());
        }
        for (String name : catalog.databases()) {
            if (name.equals("default")) {
                catalog.inDropOrder(name).forEach(table -> catalog.dropTable(name, table, DroppedFiles.PURGED));
            } else {
                catalog.dropDatabase(name, true);
            }
        }
    }

    /** Creates a database with only a name. */
    public Database createDatabase(String name) {
        Database database =
                new Database(name, java.util.Optional.empty(), "", java.util.Optional.empty(), "test", false, Map.of());
        catalog().createDatabase(database);
        return catalog().database(name).orElseThrow();
    }

    @Override
    public void close() {
        metastore.close();
        data.close();
        try {
            Trees.delete(data.path());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
