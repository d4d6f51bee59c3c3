package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.CatalogFolder;
import io.skep.metastore.Database;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.utils.MetaStoreUtils;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes databases: their rows and their folders. */
@NullUnmarked
final class HiveDatabases {
    private static final Logger LOG = LoggerFactory.getLogger(HiveDatabases.class);
    private static final String DEFAULT_COMMENT = "Default Hive database";

    /** The role that all users have. It owns the default database. */
    private static final String PUBLIC = "public";

    private final StorePool stores;
    private final WarehouseLayout layout;
    private final WarehouseFiles files;
    private final NotificationLog log;

    HiveDatabases(StorePool stores, WarehouseLayout layout, WarehouseFiles files, NotificationLog log) {
        this.stores = stores;
        this.layout = layout;
        this.files = files;
        this.log = log;
    }

    /** Creates the default database of a new metastore and sets its warehouse location. */
    void createDefault() {
        stores.write("make the default database", store -> {
            if (find(store, Database.DEFAULT_NAME) == null) {
                locateCatalog(store);
                Database database = new Database(
                        Database.DEFAULT_NAME,
                        Optional.of(DEFAULT_COMMENT),
                        layout.databaseLocation(Database.DEFAULT_NAME),
                        Optional.empty(),
                        PUBLIC,
                        true,
                        java.util.Map.of());
                insert(store, database);
            }
            return true;
        });
    }

    /** The schema script leaves a placeholder in the location of Hive's catalog. */
    private void locateCatalog(RawStore store) throws Exception {
        var catalog = store.getCatalog(CATALOG);
        if ("TBD".equals(catalog.getLocationUri())) {
            catalog.setLocationUri(layout.managedRoot());
            store.alterCatalog(CATALOG, catalog);
        }
    }

    List<String> names() {
        return stores.read("list the databases", store -> store.getAllDatabases(CATALOG)).stream()
                .sorted()
                .toList();
    }

    Optional<Database> get(String name) {
        return stores.read(
                "read database " + name,
                store -> Optional.ofNullable(find(store, name)).map(TableConversion::fromThrift));
    }

    Database require(String name) {
        return get(name).orElseThrow(() -> notFound(name));
    }

    private static SkepException notFound(String name) {
        return new SkepException(StandardErrorCode.DATABASE_NOT_FOUND, "database '" + name + "' does not exist");
    }

    static org.apache.hadoop.hive.metastore.api.@Nullable Database find(RawStore store, String name)
            throws MetaException {
        try {
            return store.getDatabase(CATALOG, name);
        } catch (NoSuchObjectException e) {
            return null;
        }
    }

    void create(Database wanted) {
        if (!MetaStoreUtils.validateName(wanted.name(), stores.configuration())) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT, "'" + wanted.name() + "' is not a name for a database");
        }
        if (get(wanted.name()).isPresent()) {
            throw exists(wanted.name());
        }
        Database database =
                wanted.location().isEmpty() ? withLocation(wanted, layout.databaseLocation(wanted.name())) : wanted;
        boolean made = files.makeFolder(database.location());
        boolean created = false;
        try {
            stores.write("create database " + database.name(), store -> {
                if (find(store, database.name()) != null) {
                    throw exists(database.name());
                }
                return insert(store, database);
            });
            created = true;
        } finally {
            if (made && !created && get(database.name()).isEmpty()) {
                files.deleteEmpty(database.location());
            }
        }
    }

    private boolean insert(RawStore store, Database database) throws Exception {
        var target = new org.apache.hadoop.hive.metastore.api.Database();
        TableConversion.apply(database, target);
        target.setCreateTime(Math.toIntExact(System.currentTimeMillis() / 1000));
        store.createDatabase(target);
        log.createdDatabase(store, target);
        return true;
    }

    private static SkepException exists(String name) {
        return new SkepException(StandardErrorCode.DATABASE_EXISTS, "Database " + name + " already exists");
    }

    private static Database withLocation(Database database, String location) {
        return new Database(
                database.name(),
                database.comment(),
                location,
                database.managedLocation(),
                database.owner(),
                database.ownerIsRole(),
                database.properties(),
                database.remote());
    }

    void alter(Database database) {
        stores.write("change database " + database.name(), store -> {
            var before = find(store, database.name());
            if (before == null) {
                throw notFound(database.name());
            }
            var after = before.deepCopy();
            TableConversion.apply(database, after);
            store.alterDatabase(CATALOG, database.name(), after);
            log.alteredDatabase(store, before, after);
            return true;
        });
    }

    /** Drops a database that contains nothing except functions. */
    void drop(Database database) {
        stores.write("drop database " + database.name(), store -> {
            var target = find(store, database.name());
            if (target == null) {
                throw notFound(database.name());
            }
            if (!store.getAllTables(CATALOG, database.name()).isEmpty()) {
                throw notEmpty(database.name());
            }
            for (String function : store.getFunctions(CATALOG, database.name(), "*")) {
                store.dropFunction(CATALOG, database.name(), function);
            }
            store.dropDatabase(CATALOG, database.name());
            log.droppedDatabase(store, target);
            return true;
        });
        deleteFolders(database);
    }

    static SkepException notEmpty(String name) {
        return new SkepException(
                        StandardErrorCode.DATABASE_NOT_EMPTY,
                        "InvalidOperationException(message:Database " + name
                                + " is not empty. One or more tables exist.)")
                .withHint("drop its tables first, or use CASCADE");
    }

    /**
     * Deletes the folders that the database created, with all of their content, unless another database uses a location
     * inside them. A folder that the user specified is deleted only when it is empty.
     */
    private void deleteFolders(Database database) {
        if (!database.name().equals(Database.DEFAULT_NAME)) {
            List<CatalogFolder> others = HiveFolders.all(stores);
            discard(layout.managedLocation(database), others);
            if (WarehouseLayout.same(database.location(), layout.databaseLocation(database.name()))) {
                discard(database.location(), others);
            } else {
                files.deleteEmpty(database.location());
            }
        }
    }

    private void discard(String folder, List<CatalogFolder> others) {
        Optional<CatalogFolder> other = others.stream()
                .filter(kept -> WarehouseLayout.isBelow(kept.location(), folder))
                .findFirst();
        if (other.isPresent()) {
            LOG.warn(
                    "{} is not deleted with its database: {} of {} is in it",
                    folder,
                    other.get().location(),
                    other.get().owner());
        } else {
            files.discard(folder);
        }
    }
}
