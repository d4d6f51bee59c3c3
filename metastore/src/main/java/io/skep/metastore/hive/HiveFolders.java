package io.skep.metastore.hive;

import io.skep.metastore.CatalogFolder;
import java.util.ArrayList;
import java.util.List;
import javax.jdo.PersistenceManager;
import javax.jdo.Query;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.model.MDatabase;
import org.apache.hadoop.hive.metastore.model.MPartition;
import org.apache.hadoop.hive.metastore.model.MTable;
import org.jspecify.annotations.NullUnmarked;

/**
 * Lists all folders of the catalog. Only names and locations are read, with one query each for databases, tables and
 * partitions.
 */
@NullUnmarked
final class HiveFolders {
    private HiveFolders() {}

    static List<CatalogFolder> all(StorePool stores) {
        return stores.read("list the folders of tables", store -> {
            List<CatalogFolder> folders = new ArrayList<>();
            boolean committed = false;
            store.openTransaction();
            try {
                read(store, folders);
                committed = store.commitTransaction();
            } finally {
                if (!committed) {
                    store.rollbackTransaction();
                }
            }
            return folders;
        });
    }

    private static void read(RawStore store, List<CatalogFolder> folders) throws MetaException {
        PersistenceManager manager = StoreTransaction.of(store);
        for (Object[] row : rows(manager, MDatabase.class, "name, locationUri, managedLocationUri", "true")) {
            add(row[0], "", row[1], folders);
            add(row[0], "", row[2], folders);
        }
        for (Object[] row :
                rows(manager, MTable.class, "database.name, tableName, sd.location", "sd.location != null")) {
            add(row[0], row[1], row[2], folders);
        }
        String apart = "sd.location != null && table.sd.location != null"
                + " && sd.location.indexOf(table.sd.location + '/') != 0";
        for (Object[] row :
                rows(manager, MPartition.class, "table.database.name, table.tableName, sd.location", apart)) {
            add(row[0], row[1], row[2], folders);
        }
    }

    private static List<Object[]> rows(PersistenceManager manager, Class<?> kind, String columns, String filter) {
        Query<?> query = manager.newQuery(kind);
        try {
            query.setFilter(filter);
            query.setResult(columns);
            List<Object[]> rows = new ArrayList<>();
            ((List<?>) query.execute()).forEach(row -> rows.add((Object[]) row));
            return rows;
        } finally {
            query.closeAll();
        }
    }

    private static void add(Object database, Object table, Object location, List<CatalogFolder> folders) {
        if (location != null && !location.toString().isEmpty()) {
            folders.add(new CatalogFolder(database.toString(), table.toString(), location.toString()));
        }
    }
}
