package io.skep.metastore.hive;

import io.skep.metastore.Database;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.List;
import org.apache.hadoop.hive.metastore.utils.MetaStoreUtils;

/**
 * Hive's rules for default locations of data: {@code warehouse/db.db/table/key=value}. Managed tables are below the
 * managed warehouse, or the database's managed location. All other tables are below the database's location.
 */
record WarehouseLayout(String managedRoot, String externalRoot) {

    private static final String DATABASE_SUFFIX = ".db";

    String databaseLocation(String database) {
        return databaseFolder(externalRoot, database);
    }

    /** Returns the location of a database's managed tables. */
    String managedLocation(Database database) {
        return database.managedLocation().orElseGet(() -> databaseFolder(managedRoot, database.name()));
    }

    String tableLocation(Database database, String table, boolean external) {
        return join(external ? database.location() : managedLocation(database), MetaStoreUtils.encodeTableName(table));
    }

    static String partitionLocation(Table table, List<String> values) {
        return join(table.storage().location(), PartitionName.of(table, values));
    }

    private static String databaseFolder(String root, String database) {
        return database.equals(Database.DEFAULT_NAME) ? stripSlash(root) : join(root, database + DATABASE_SUFFIX);
    }

    static String join(String parent, String child) {
        return stripSlash(parent) + "/" + child;
    }

    /** Whether a location equals or is below another one. */
    static boolean isBelow(String location, String folder) {
        return normalize(location).startsWith(normalize(folder));
    }

    static boolean same(String left, String right) {
        return normalize(left).equals(normalize(right));
    }

    private static String normalize(String location) {
        String plain = location.startsWith("file:///") ? "file:" + location.substring("file://".length()) : location;
        return (plain.startsWith("/") ? "file:" + stripSlash(plain) : stripSlash(plain)) + "/";
    }

    private static String stripSlash(String location) {
        int end = location.length();
        while (end > 1 && location.charAt(end - 1) == '/') {
            end--;
        }
        return location.substring(0, end);
    }
}
