package io.skep.metastore.cache;

import io.skep.metastore.Catalog;
import io.skep.metastore.Database;
import io.skep.metastore.Function;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Caches the names of databases, tables and functions. Missing names are not cached, because clients may request any
 * name.
 */
final class Listings {
    /** The maximum number of characters of a database name in Hive's metastore. */
    private static final int MAX_NAME = 128;

    private final Catalog catalog;
    private final ConcurrentHashMap<String, Lazy<Optional<Database>>> databases = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Lazy<List<String>>> tables = new ConcurrentHashMap<>();
    private volatile Lazy<List<String>> databaseNames = new Lazy<>();
    private volatile Lazy<List<Function>> functions = new Lazy<>();

    Listings(Catalog catalog) {
        this.catalog = catalog;
    }

    List<String> databases() {
        return databaseNames.get(catalog::databases);
    }

    Optional<Database> database(String name) {
        if (name.length() > MAX_NAME) {
            return Optional.empty();
        }
        Lazy<Optional<Database>> known = databases.computeIfAbsent(name, n -> new Lazy<>());
        Optional<Database> found = Optional.empty();
        try {
            found = known.get(() -> catalog.database(name));
        } finally {
            if (found.isEmpty()) {
                databases.remove(name, known);
            }
        }
        return found;
    }

    List<String> tables(String database) {
        if (database.length() > MAX_NAME) {
            return List.of();
        }
        Lazy<List<String>> known = tables.computeIfAbsent(database, d -> new Lazy<>());
        List<String> names = List.of();
        try {
            names = known.get(() -> catalog.tables(database));
        } finally {
            if (names.isEmpty()) {
                tables.remove(database, known);
            }
        }
        return names;
    }

    List<Function> functions() {
        return functions.get(catalog::functions);
    }

    void dropDatabase(String name) {
        databaseNames = new Lazy<>();
        databases.remove(name);
        tables.remove(name);
        dropFunctions();
    }

    void dropTables(String database) {
        tables.remove(database);
    }

    void dropFunctions() {
        functions = new Lazy<>();
    }

    /** Returns the number of cached databases and table lists. */
    int size() {
        return databases.size() + tables.size();
    }

    void dropAll() {
        databaseNames = new Lazy<>();
        databases.clear();
        tables.clear();
        dropFunctions();
    }
}
