package io.skep.metastore.cache;

import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFixtures;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An in-memory catalog for tests of the cache: tables and partitions, and a record of each call. */
final class FakeCatalog {
    final List<String> calls = new CopyOnWriteArrayList<>();
    final Map<String, Table> tables = new ConcurrentHashMap<>();
    final Map<String, Partition> partitions = new TreeMap<>();
    volatile Runnable beforeTable = () -> {};
    volatile Runnable afterRecord = () -> {};

    Catalog catalog() {
        return (Catalog) Proxy.newProxyInstance(
                FakeCatalog.class.getClassLoader(), new Class<?>[] {Catalog.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    return switch (method.getName()) {
                        case "table" -> table((String) arguments[0], (String) arguments[1]);
                        case "tablesByName" ->
                            ((List<?>) arguments[1])
                                    .stream()
                                            .flatMap(name -> table((String) arguments[0], (String) name).stream())
                                            .toList();
                        case "partitionNames" -> List.copyOf(partitions.keySet());
                        case "partitionsByName" -> byName((List<?>) arguments[1]);
                        case "addPartitions" -> add((Table) arguments[0], (List<?>) arguments[1]);
                        case "tableStatistics", "constraints" -> List.of();
                        case "partitionStatistics" -> Map.of();
                        case "databases", "functions" -> List.of();
                        case "tables" -> arguments[0].equals("db") ? List.of("t") : List.of();
                        case "database" ->
                            arguments[0].equals("db")
                                    ? Optional.of(CatalogFixtures.database("db", "file:/db"))
                                    : Optional.empty();
                        case "recordWrite" -> record((Table) arguments[0]);
                        case "createTable", "alterTable", "dropTable", "putTableStatistics", "addConstraints" -> null;
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }

    private Table record(Table table) {
        tables.put(table.qualifiedName(), table);
        afterRecord.run();
        return table;
    }

    private Optional<Table> table(String database, String name) {
        beforeTable.run();
        return Optional.ofNullable(tables.get(database + "." + name));
    }

    private List<Partition> byName(List<?> names) {
        List<Partition> found = new ArrayList<>();
        for (Object name : names) {
            Partition partition = partitions.get((String) name);
            if (partition != null) {
                found.add(partition);
            }
        }
        calls.set(calls.size() - 1, "partitionsByName:" + names.size());
        return found;
    }

    private Object add(Table table, List<?> added) {
        for (Object partition : added) {
            partitions.put(PartitionName.of(table, ((Partition) partition).values()), (Partition) partition);
        }
        return added.size();
    }
}
