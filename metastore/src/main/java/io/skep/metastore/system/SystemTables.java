package io.skep.metastore.system;

import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The list of system tables. */
public final class SystemTables {
    public static final String SYS = "sys";
    public static final String INFORMATION_SCHEMA = "information_schema";

    /** The databases, sorted. */
    public static final List<String> DATABASES = List.of(INFORMATION_SCHEMA, SYS);

    private static final Map<String, Map<String, SystemTable>> TABLES = tables();

    private SystemTables() {}

    private static Map<String, Map<String, SystemTable>> tables() {
        Map<String, Map<String, SystemTable>> all = new LinkedHashMap<>();
        DATABASES.forEach(database -> all.put(database, new TreeMap<>()));
        List.of(SysTables.all(), SysViews.all(), InformationSchema.all())
                .forEach(some -> some.forEach(table -> all.computeIfAbsent(table.database(), name -> new TreeMap<>())
                        .put(table.name(), table)));
        return all;
    }

    /** Whether a database has one of the names. Its tables may be the site's own. */
    public static boolean isName(String database) {
        return TABLES.containsKey(database);
    }

    /** Whether a database of a catalog is a built-in one. */
    public static boolean isBuiltIn(String database, Catalog catalog) {
        return names(database).stream()
                .limit(1)
                .anyMatch(name ->
                        catalog.table(database, name).filter(Table::isSystem).isPresent());
    }

    /** Returns the names of the tables of a database, sorted. */
    public static List<String> names(String database) {
        return List.copyOf(TABLES.getOrDefault(database, Map.of()).keySet());
    }

    public static Optional<SystemTable> find(String database, String name) {
        return Optional.ofNullable(TABLES.getOrDefault(database, Map.of()).get(name));
    }

    /** @param table one whose {@link Table#isSystem} is true */
    public static SystemTable of(Table table) {
        return find(table.database(), table.name()).orElseThrow();
    }

    /** Whether everybody may query a table. What its rows are depends on the user. */
    public static boolean isForEverybody(Table table) {
        return table.isSystem() && table.database().equals(INFORMATION_SCHEMA);
    }
}
