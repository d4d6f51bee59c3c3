package io.skep.metastore.cache;

import io.skep.metastore.Catalog;
import io.skep.metastore.Database;
import io.skep.metastore.Function;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What is there: databases, the names of their tables, functions. */
final class Listings {
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
        return databases.computeIfAbsent(name, n -> new Lazy<>()).get(() -> catalog.database(name));
    }

    List<String> tables(String database) {
        return tables.computeIfAbsent(database, d -> new Lazy<>()).get(() -> catalog.tables(database));
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

    void dropAll() {
        databaseNames = new Lazy<>();
        databases.clear();
        tables.clear();
        dropFunctions();
    }
}
