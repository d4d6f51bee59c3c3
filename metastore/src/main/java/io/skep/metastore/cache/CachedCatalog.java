package io.skep.metastore.cache;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFolder;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Constraint;
import io.skep.metastore.Database;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Function;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A catalog that caches reads of another catalog. Reads of cached data cost no round trip. A write through this catalog
 * is visible to the next read. {@link #apply} applies the writes of others. No lock that two tables share is held while
 * one of them is read.
 */
public final class CachedCatalog implements Catalog {
    /** The maximum number of characters of a table name in Hive's metastore. */
    private static final int MAX_NAME = 256;

    private static final Duration VIEWS_AGE = Duration.ofSeconds(5);
    private static final String VIEWS = "views";

    private final Catalog catalog;
    private final SnapshotStore snapshots;
    private final Listings listings;
    private final LongConsumer poll;
    private final boolean allTold;

    /**
     * Under one key. Not all changes of others are told as changes of views, so the list is read again at times. Nobody
     * waits for that: a database that hangs must not stop queries whose tables are cached.
     */
    private final LoadingCache<String, Map<String, Set<String>>> views;

    /**
     * Creates the cache of a catalog that no other client changes, or whose changes all arrive through {@link #apply}.
     */
    public CachedCatalog(Catalog catalog, long maximumWeight) {
        this(catalog, maximumWeight, position -> {}, true);
    }

    /**
     * @param maximumWeight maximum size in estimated bytes
     * @param poll applies changes of others up to a position
     * @param allTold whether these are all changes
     */
    public CachedCatalog(Catalog catalog, long maximumWeight, LongConsumer poll, boolean allTold) {
        this.catalog = catalog;
        this.poll = poll;
        this.allTold = allTold;
        this.snapshots = new SnapshotStore(catalog, maximumWeight);
        this.listings = new Listings(catalog);
        this.views = Caffeine.newBuilder().refreshAfterWrite(VIEWS_AGE).build(key -> catalog.rewritingViews());
    }

    public CacheStats stats() {
        return snapshots.stats();
    }

    /** Drops cached data that others changed. */
    public void apply(ChangeFeed.Changes changes) {
        if (!changes.complete()) {
            views.invalidateAll();
            listings.dropAll();
            snapshots.dropAll();
            return;
        }
        for (ChangeFeed.Change change : Set.copyOf(changes.changes())) {
            if (change.table().isPresent()) {
                changed(change.database(), change.table().get());
            } else {
                changedDatabase(change.database());
            }
        }
    }

    private void changed(String database, String table) {
        listings.dropTables(database);
        snapshots.drop(database, table);
    }

    private void changedDatabase(String database) {
        views.invalidateAll();
        listings.dropDatabase(database);
        snapshots.dropDatabase(database);
    }

    private TableSnapshot snapshot(Table table) {
        return snapshots.get(table.database(), table.name());
    }

    @Override
    public List<String> databases() {
        return listings.databases();
    }

    @Override
    public Optional<Database> database(String name) {
        return listings.database(name);
    }

    @Override
    public void createDatabase(Database database) {
        try {
            catalog.createDatabase(database);
        } finally {
            changedDatabase(database.name());
        }
    }

    @Override
    public void alterDatabase(Database database) {
        try {
            catalog.alterDatabase(database);
        } finally {
            changedDatabase(database.name());
        }
    }

    @Override
    public void dropDatabase(String name, boolean cascade) {
        try {
            catalog.dropDatabase(name, cascade);
        } finally {
            changedDatabase(name);
        }
    }

    @Override
    public List<String> tables(String database) {
        return listings.tables(database);
    }

    @Override
    public Optional<Table> table(String database, String name) {
        boolean mayExist = name.length() <= MAX_NAME && database.length() <= MAX_NAME;
        return mayExist ? snapshots.get(database, name).table() : Optional.empty();
    }

    @Override
    public List<Table> tablesByName(String database, List<String> names) {
        // Loaded tables are stored in the snapshots taken before the load. A concurrent write has already dropped these
        // snapshots.
        Map<String, TableSnapshot> known = new HashMap<>();
        List<String> unknown = new ArrayList<>();
        for (String name : names) {
            if (name.length() > MAX_NAME || database.length() > MAX_NAME || known.containsKey(name)) {
                continue;
            }
            TableSnapshot snapshot = snapshots.get(database, name);
            known.put(name, snapshot);
            if (!snapshot.isTableLoaded()) {
                unknown.add(name);
            }
        }
        if (unknown.size() > 1) {
            for (Table table : catalog.tablesByName(database, unknown)) {
                TableSnapshot snapshot = known.get(table.name());
                if (snapshot != null) {
                    snapshot.offer(table);
                }
            }
        }
        // The snapshots themselves are read, because those that do not fit into the cache are evicted by now.
        return names.stream()
                .map(known::get)
                .filter(Objects::nonNull)
                .flatMap(snapshot -> snapshot.table().stream())
                .toList();
    }

    @Override
    public List<CatalogFolder> folders() {
        return catalog.folders();
    }

    @Override
    public void createTable(Table table, List<Constraint> constraints) {
        try {
            catalog.createTable(table, constraints);
        } finally {
            changed(table.database(), table.name());
            changedView(table);
        }
    }

    @Override
    public List<Constraint> constraints(Table table) {
        return snapshot(table).constraints(table);
    }

    /** Not cached: any table may have a new reference, and only metadata calls ask. */
    @Override
    public List<Reference> referencesTo(Table parent) {
        return catalog.referencesTo(parent);
    }

    /** Not cached: any table may have a new view, and only statements that drop a table ask. */
    @Override
    public List<String> materializedViewsOf(Table source) {
        return catalog.materializedViewsOf(source);
    }

    /** A view of another server may be missing, and one that is gone may be listed, for a few seconds of use. */
    @Override
    public Map<String, Set<String>> rewritingViews() {
        return views.get(VIEWS);
    }

    private void changedView(Table table) {
        if (table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            views.invalidateAll();
        }
    }

    @Override
    public void addConstraints(Table table, List<Constraint> constraints) {
        try {
            catalog.addConstraints(table, constraints);
        } finally {
            snapshots.drop(table.database(), table.name());
        }
    }

    @Override
    public void dropConstraint(Table table, String name) {
        try {
            catalog.dropConstraint(table, name);
        } finally {
            snapshots.drop(table.database(), table.name());
        }
    }

    @Override
    public void alterTable(String database, String name, Table table, boolean cascade) {
        boolean isInPlace = table.database().equals(database) && table.name().equals(name);
        boolean done = false;
        try {
            catalog.alterTable(database, name, table, cascade);
            done = true;
        } finally {
            if (done && isInPlace) {
                snapshots.change(database, name, snapshot -> snapshot.afterAlter(table.columns()));
            } else {
                changed(database, name);
                changed(table.database(), table.name());
            }
            changedView(table);
        }
    }

    @Override
    public Table recordWrite(Table table, List<ColumnStatistics> statistics) {
        long version = snapshots.begin(table.database(), table.name());
        Optional<Table> recorded = Optional.empty();
        try {
            recorded = Optional.of(catalog.recordWrite(table, statistics));
            return recorded.get();
        } finally {
            if (recorded.isPresent()) {
                snapshots.recorded(recorded.get(), statistics, version);
            } else {
                snapshots.drop(table.database(), table.name());
            }
            changedView(table);
        }
    }

    @Override
    public Optional<FolderMove> movedFolder(Table table, Table renamed) {
        return catalog.movedFolder(table, renamed);
    }

    @Override
    public Optional<FolderMove> movedFolder(Table table, Partition partition, List<String> values) {
        return catalog.movedFolder(table, partition, values);
    }

    @Override
    public List<String> ownFolders(Table table) {
        return catalog.ownFolders(table);
    }

    @Override
    public void dropTable(String database, String name, DroppedFiles files) {
        try {
            catalog.dropTable(database, name, files);
        } finally {
            changed(database, name);
            views.asMap().values().removeIf(listed -> listed.containsKey(database + "." + name));
        }
    }

    @Override
    public List<Partition> partitions(Table table, Predicate<List<String>> filter) {
        return snapshot(table).partitions(table, filter);
    }

    @Override
    public List<String> partitionNames(Table table) {
        return snapshot(table).partitionNames(table);
    }

    @Override
    public List<Partition> partitionsByName(Table table, List<String> names) {
        return snapshot(table).partitions(table, names);
    }

    @Override
    public Optional<Partition> partition(Table table, List<String> values) {
        return partitionsByName(table, List.of(PartitionName.of(table, values))).stream()
                .findFirst();
    }

    @Override
    public void addPartitions(Table table, List<Partition> partitions, boolean ifNotExists) {
        Set<String> added = names(table, partitions);
        writePartitions(table, Set.of(), added, () -> catalog.addPartitions(table, partitions, ifNotExists));
    }

    @Override
    public void alterPartitions(Table table, List<Partition> partitions) {
        Set<String> changed = names(table, partitions);
        writePartitions(table, Set.of(), changed, () -> catalog.alterPartitions(table, partitions));
    }

    @Override
    public void renamePartition(Table table, List<String> values, Partition renamed) {
        Set<String> gone = Set.of(PartitionName.of(table, values));
        Set<String> made = names(table, List.of(renamed));
        writePartitions(table, gone, made, () -> catalog.renamePartition(table, values, renamed));
    }

    @Override
    public void dropPartitions(Table table, List<List<String>> values, DroppedFiles files) {
        Set<String> gone =
                values.stream().map(one -> PartitionName.of(table, one)).collect(Collectors.toSet());
        writePartitions(table, gone, Set.of(), () -> catalog.dropPartitions(table, values, files));
    }

    private static Set<String> names(Table table, List<Partition> partitions) {
        return partitions.stream()
                .map(partition -> PartitionName.of(table, partition.values()))
                .collect(Collectors.toSet());
    }

    /** The result of a failed write is unknown, so the snapshot is dropped. */
    private void writePartitions(Table table, Set<String> removed, Set<String> written, Runnable write) {
        boolean done = false;
        try {
            write.run();
            done = true;
        } finally {
            if (done) {
                snapshots.change(table.database(), table.name(), snapshot -> snapshot.after(removed, written));
            } else {
                snapshots.drop(table.database(), table.name());
            }
        }
    }

    @Override
    public List<ColumnStatistics> tableStatistics(Table table, List<String> columns) {
        return snapshot(table).statistics(table, columns);
    }

    @Override
    public Map<String, List<ColumnStatistics>> partitionStatistics(
            Table table, List<String> partitionNames, List<String> columns) {
        return snapshot(table).partitionStatistics(table, partitionNames, columns);
    }

    @Override
    public void putTableStatistics(Table table, List<ColumnStatistics> statistics) {
        boolean done = false;
        try {
            catalog.putTableStatistics(table, statistics);
            done = true;
        } finally {
            if (done) {
                snapshots.change(table.database(), table.name(), TableSnapshot::afterStatistics);
            } else {
                snapshots.drop(table.database(), table.name());
            }
        }
    }

    @Override
    public void putPartitionStatistics(Table table, Map<String, List<ColumnStatistics>> statistics) {
        Set<String> changed = Set.copyOf(statistics.keySet());
        writePartitions(table, Set.of(), changed, () -> catalog.putPartitionStatistics(table, statistics));
    }

    @Override
    public List<Function> functions() {
        return listings.functions();
    }

    @Override
    public Optional<Function> function(String database, String name) {
        return functions().stream()
                .filter(function ->
                        function.database().equals(database) && function.name().equals(name))
                .findFirst();
    }

    @Override
    public void createFunction(Function function) {
        try {
            catalog.createFunction(function);
        } finally {
            listings.dropFunctions();
        }
    }

    @Override
    public void dropFunction(String database, String name) {
        try {
            catalog.dropFunction(database, name);
        } finally {
            listings.dropFunctions();
        }
    }

    @Override
    public void refreshTo(long position) {
        poll.accept(position);
    }

    @Override
    public void invalidate(Collection<Table> tables) {
        if (!allTold) {
            tables.forEach(table -> changed(table.database(), table.name()));
        }
    }

    @Override
    public long version(String database, String table) {
        return snapshots.version(database, table);
    }
}
