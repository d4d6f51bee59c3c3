package io.skep.metastore.hive;

import io.skep.metastore.Database;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.List;
import org.apache.hadoop.hive.metastore.utils.MetaStoreUtils;

/**
 * Hive's rules for where data lies when nobody says so: {@code warehouse/db.db/table/key=value}. Managed tables live
 * under the managed warehouse (or the database's managed location), all else under the database's location.
 */
record WarehouseLayout(String managedRoot, String externalRoot) {
    static final String DEFAULT_DATABASE = "default";

    private static final String DATABASE_SUFFIX = ".db";

    String databaseLocation(String database) {
        return databaseFolder(externalRoot, database);
    }

    /** Where a database's managed tables lie. */
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
        return database.equals(DEFAULT_DATABASE) ? stripSlash(root) : join(root, database + DATABASE_SUFFIX);
    }

    static String join(String parent, String child) {
        return stripSlash(parent) + "/" + child;
    }

    /** Whether a location is another one or below it. */
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
