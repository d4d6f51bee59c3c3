package io.skep.metastore.system;

import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import java.util.List;
import java.util.Locale;

/**
 * What Hive's script for its system databases has made in a metastore. Its tables read the metastore's database through
 * Hive's storage handler for JDBC, and its views read these tables.
 */
final class ScriptedTables {
    private static final String HANDLER = "org.apache.hive.storage.jdbc.JdbcStorageHandler";

    private final Catalog catalog;

    ScriptedTables(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Whether the script has made a database. One of its tables tells, which nobody makes by chance. */
    boolean isDatabase(String name) {
        return name.equals(SystemTables.SYS)
                ? catalog.table(name, "dbs").filter(ScriptedTables::includes).isPresent()
                : catalog.table(name, "schemata")
                        .flatMap(Table::viewExpandedText)
                        .filter(text -> text.toLowerCase(Locale.ROOT).contains("`sys`.`dbs`"))
                        .isPresent();
    }

    /** Returns the names of tables in a database that the script has not made. */
    List<String> others(String database) {
        if (catalog.database(database).isEmpty()) {
            return List.of();
        }
        List<String> names = catalog.tables(database).stream()
                .filter(name -> SystemTables.find(database, name).isEmpty())
                .toList();
        return catalog.tablesByName(database, names).stream()
                .filter(table -> !includes(table))
                .map(Table::name)
                .toList();
    }

    /** Whether a table is one of the script's. Its views have names of system tables. */
    static boolean includes(Table table) {
        return HANDLER.equals(table.properties().get("storage_handler"))
                && "METASTORE".equalsIgnoreCase(table.properties().get("hive.sql.database.type"));
    }
}
