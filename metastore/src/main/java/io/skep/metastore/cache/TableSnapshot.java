package io.skep.metastore.cache;

import io.skep.common.concurrent.Interruption;
import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Constraint;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.HeapBytes;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The cached data of one table until the next write that affects it. Each part is loaded on first use, once for all
 * readers. A write drops the whole snapshot. Readers that hold it continue with the state at the time when they
 * obtained it.
 */
final class TableSnapshot {
    /** The size of an empty snapshot. */
    private static final long BYTES_EMPTY = 1000;

    /** The size of a column's map entry, with or without statistics. */
    private static final long BYTES_ENTRY = 100;

    private final String database;
    private final String name;
    private final Catalog catalog;
    private final Lazy<Optional<Table>> table;
    private final Lazy<List<Constraint>> constraints;
    private final Lazy<PartitionSet> partitions = new Lazy<>();
    private final ConcurrentHashMap<String, Optional<ColumnStatistics>> statistics = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, ConcurrentHashMap<String, Optional<ColumnStatistics>>> partitionStatistics =
            new ConcurrentHashMap<>();
    private final ReentrantLock statisticsLoading = new ReentrantLock();
    private final AtomicLong weight = new AtomicLong();
    private final Runnable onGrowth;

    /** @param onGrowth called when the weight has grown, sometimes with locks of the snapshot held */
    TableSnapshot(String database, String name, Catalog catalog, Runnable onGrowth) {
        this(database, name, catalog, onGrowth, new Lazy<>(), new Lazy<>());
    }

    private TableSnapshot(
            String database,
            String name,
            Catalog catalog,
            Runnable onGrowth,
            Lazy<Optional<Table>> table,
            Lazy<List<Constraint>> constraints) {
        this.database = database;
        this.name = name;
        this.catalog = catalog;
        this.onGrowth = onGrowth;
        this.table = table;
        this.constraints = constraints;
        weight.set(BYTES_EMPTY + HeapBytes.of(database) + HeapBytes.of(name));
    }

    /**
     * Returns the snapshot after a write to partitions. It keeps the definition and everything about the other
     * partitions.
     *
     * @param removed names of removed partitions
     * @param written names of new or changed partitions
     */
    TableSnapshot after(Set<String> removed, Set<String> written) {
        TableSnapshot next =
                new TableSnapshot(database, name, catalog, onGrowth, new Lazy<>(table), new Lazy<>(constraints));
        next.statistics.putAll(statistics);
        partitionStatistics.forEach((partition, known) -> {
            if (!removed.contains(partition) && !written.contains(partition)) {
                next.partitionStatistics.put(partition, known);
            }
        });
        next.weight.set(weight.get());
        partitions.loaded().ifPresent(set -> {
            PartitionSet.After after = set.after(removed, written);
            next.partitions.set(after.set());
            next.weight.addAndGet(after.added());
        });
        return next;
    }

    /** Returns the snapshot after a write of the definition. Constraints are kept with the columns that they name. */
    TableSnapshot afterAlter(List<FieldSchema> columns) {
        return keepsColumns(columns)
                ? afterStatistics()
                : new TableSnapshot(database, name, catalog, onGrowth, new Lazy<>(), new Lazy<>());
    }

    private boolean keepsColumns(List<FieldSchema> columns) {
        return table.loaded()
                .flatMap(known -> known)
                .filter(known -> known.columns().equals(columns))
                .isPresent();
    }

    /**
     * Returns the snapshot after a write of rows.
     *
     * @param written the definition with the new properties
     * @param changed the statistics that were written; others are as before
     */
    TableSnapshot afterWrite(Table written, List<ColumnStatistics> changed) {
        TableSnapshot next = afterAlter(written.columns());
        next.weight.addAndGet(HeapBytes.of(written));
        next.table.set(Optional.of(written));
        if (keepsColumns(written.columns())) {
            next.statistics.putAll(statistics);
        }
        changed.forEach(column -> next.statistics.put(column.column(), Optional.of(column)));
        next.statistics.forEach((column, known) -> next.weight.addAndGet(
                BYTES_ENTRY + HeapBytes.of(column) + known.map(HeapBytes::of).orElse(0L)));
        return next;
    }

    /** Returns the snapshot after a write of statistics, which also changes properties of the table. */
    TableSnapshot afterStatistics() {
        TableSnapshot next =
                new TableSnapshot(database, name, catalog, onGrowth, new Lazy<>(), new Lazy<>(constraints));
        next.constraints
                .loaded()
                .ifPresent(kept -> next.weight.addAndGet(
                        kept.stream().mapToLong(HeapBytes::of).sum()));
        return next;
    }

    long weight() {
        return weight.get();
    }

    private void grow(long added) {
        if (added > 0) {
            weight.addAndGet(added);
            onGrowth.run();
        }
    }

    Optional<Table> table() {
        return table.get(() -> {
            Optional<Table> loaded = catalog.table(database, name);
            loaded.ifPresent(found -> grow(HeapBytes.of(found)));
            return loaded;
        });
    }

    List<Constraint> constraints(Table asked) {
        return constraints.get(() -> {
            List<Constraint> loaded = List.copyOf(catalog.constraints(asked));
            grow(loaded.stream().mapToLong(HeapBytes::of).sum());
            return loaded;
        });
    }

    boolean isTableLoaded() {
        return table.loaded().isPresent();
    }

    /** Accepts a definition that was read together with many other tables. */
    void offer(Table read) {
        table.get(() -> {
            grow(HeapBytes.of(read));
            return Optional.of(read);
        });
    }

    private PartitionSet partitionSet(Table asked) {
        return partitions.get(() -> {
            PartitionSet set = PartitionSet.of(asked, catalog.partitionNames(asked));
            grow(set.weight());
            return set;
        });
    }

    List<String> partitionNames(Table asked) {
        return partitionSet(asked).names();
    }

    List<Partition> partitions(Table asked, Predicate<List<String>> filter) {
        PartitionSet.Found found = partitionSet(asked).find(filter, catalog);
        grow(found.added());
        return found.partitions();
    }

    List<Partition> partitions(Table asked, List<String> names) {
        PartitionSet.Found found = partitionSet(asked).find(names, catalog);
        grow(found.added());
        return found.partitions();
    }

    List<ColumnStatistics> statistics(Table asked, List<String> columns) {
        return present(columns, statistics, () -> {
            List<String> missing = missing(columns, statistics);
            fill(missing, missing.isEmpty() ? List.of() : catalog.tableStatistics(asked, missing), statistics);
        });
    }

    Map<String, List<ColumnStatistics>> partitionStatistics(Table asked, List<String> names, List<String> columns) {
        loadPartitionStatistics(asked, names, columns);
        Map<String, List<ColumnStatistics>> found = new HashMap<>();
        for (String partition : names) {
            List<ColumnStatistics> known = present(columns, ofPartition(partition), () -> {});
            if (!known.isEmpty()) {
                found.put(partition, known);
            }
        }
        return found;
    }

    private void loadPartitionStatistics(Table asked, List<String> names, List<String> columns) {
        if (incomplete(names, columns).isEmpty()) {
            return;
        }
        Interruption.lock(statisticsLoading);
        try {
            List<String> incomplete = incomplete(names, columns);
            if (!incomplete.isEmpty()) {
                var loaded = catalog.partitionStatistics(asked, incomplete, columns);
                for (String partition : incomplete) {
                    fill(columns, loaded.getOrDefault(partition, List.of()), ofPartition(partition));
                }
            }
        } finally {
            statisticsLoading.unlock();
        }
    }

    private List<String> incomplete(List<String> names, List<String> columns) {
        Set<String> incomplete = new LinkedHashSet<>();
        for (String partition : names) {
            if (!missing(columns, ofPartition(partition)).isEmpty()) {
                incomplete.add(partition);
            }
        }
        return List.copyOf(incomplete);
    }

    private ConcurrentHashMap<String, Optional<ColumnStatistics>> ofPartition(String partition) {
        return partitionStatistics.computeIfAbsent(partition, p -> new ConcurrentHashMap<>());
    }

    private static List<String> missing(List<String> columns, Map<String, Optional<ColumnStatistics>> known) {
        List<String> missing = new ArrayList<>();
        for (String column : columns) {
            if (!known.containsKey(column)) {
                missing.add(column);
            }
        }
        return missing;
    }

    private List<ColumnStatistics> present(
            List<String> columns, Map<String, Optional<ColumnStatistics>> known, Runnable loader) {
        if (!missing(columns, known).isEmpty()) {
            Interruption.lock(statisticsLoading);
            try {
                loader.run();
            } finally {
                statisticsLoading.unlock();
            }
        }
        List<ColumnStatistics> present = new ArrayList<>(columns.size());
        for (String column : columns) {
            known.getOrDefault(column, Optional.empty()).ifPresent(present::add);
        }
        return present;
    }

    private void fill(
            List<String> columns, List<ColumnStatistics> loaded, Map<String, Optional<ColumnStatistics>> known) {
        long added = 0;
        for (ColumnStatistics one : loaded) {
            known.put(one.column(), Optional.of(one));
            added += HeapBytes.of(one);
        }
        for (String column : columns) {
            known.putIfAbsent(column, Optional.empty());
            added += BYTES_ENTRY + HeapBytes.of(column);
        }
        grow(added);
    }
}
