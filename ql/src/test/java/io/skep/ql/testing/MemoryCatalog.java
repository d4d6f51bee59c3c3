package io.skep.ql.testing;

import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The part of a catalog that planning reads, in memory: tables, partitions and statistics. Other calls fail. The public
 * methods have the names and parameters of {@link Catalog}.
 */
public final class MemoryCatalog implements InvocationHandler {
    private final Map<String, Map<String, Partition>> partitions = new TreeMap<>();
    private final Map<String, Map<String, ColumnStatistics>> columns = new TreeMap<>();
    private final AnalysisFixture tables;
    private long version;

    MemoryCatalog(AnalysisFixture tables) {
        this.tables = tables;
    }

    Catalog catalog() {
        return (Catalog) Proxy.newProxyInstance(Catalog.class.getClassLoader(), new Class<?>[] {Catalog.class}, this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Method own;
        try {
            own = MemoryCatalog.class.getMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException("planning does not call " + method.getName(), e);
        }
        try {
            return own.invoke(this, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    void put(Table table) {
        version++;
        tables.put(table);
    }

    void put(String table, ColumnStatistics statistics) {
        version++;
        columns.computeIfAbsent(table, name -> new TreeMap<>()).put(statistics.column(), statistics);
    }

    void put(Table table, Partition partition) {
        version++;
        partitions
                .computeIfAbsent(table.name(), name -> new TreeMap<>())
                .put(PartitionName.of(table, partition.values()), partition);
    }

    private Map<String, Partition> partitions(Table table) {
        return partitions.getOrDefault(table.name(), Map.of());
    }

    public long version(String database, String table) {
        return version;
    }

    public Optional<Table> table(String database, String name) {
        return tables.table(database, name);
    }

    public List<ColumnStatistics> tableStatistics(Table table, List<String> names) {
        return columns.getOrDefault(table.name(), Map.of()).values().stream()
                .filter(column -> names.contains(column.column()))
                .toList();
    }

    public Map<String, List<ColumnStatistics>> partitionStatistics(
            Table table, List<String> partitionNames, List<String> names) {
        return Map.of();
    }

    public List<String> partitionNames(Table table) {
        return List.copyOf(partitions(table).keySet());
    }

    public List<Partition> partitionsByName(Table table, List<String> names) {
        List<Partition> found = new ArrayList<>();
        names.forEach(name -> Optional.ofNullable(partitions(table).get(name)).ifPresent(found::add));
        return found;
    }

    public List<Partition> partitions(Table table, Predicate<List<String>> filter) {
        return partitions(table).values().stream()
                .filter(partition -> filter.test(partition.values()))
                .toList();
    }
}
