package io.skep.metastore;

import io.skep.common.error.SkepException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Databases, tables, partitions and statistics. Names are in lower case. Reads come from versioned snapshots. A write
 * is visible to the next read of this server. All methods may block. They fail with a {@link SkepException}:
 * METASTORE_ERROR, or the code for an object that is missing or already exists.
 */
public interface Catalog {
    List<String> databases();

    Optional<Database> database(String name);

    /** Creates a database. An empty location selects the warehouse's default. */
    void createDatabase(Database database);

    void alterDatabase(Database database);

    /** @param cascade drops its tables first; otherwise a database with tables fails with DATABASE_NOT_EMPTY */
    void dropDatabase(String name, boolean cascade);

    /** Returns all tables and views of a database, sorted. */
    List<String> tables(String database);

    Optional<Table> table(String database, String name);

    /**
     * Returns the existing tables and views among the given names, in the order of the names. One round trip loads many
     * tables.
     */
    default List<Table> tablesByName(String database, List<String> names) {
        return names.stream().flatMap(name -> table(database, name).stream()).toList();
    }

    /** Returns all tables and views of a database, and materialized views before the tables that they read. */
    default List<String> inDropOrder(String database) {
        return tablesByName(database, tables(database)).stream()
                .sorted(Comparator.comparing(table -> table.kind() != Table.TableKind.MATERIALIZED_VIEW))
                .map(Table::name)
                .toList();
    }

    /**
     * Returns the folders of all databases and tables, and of partitions outside their table's folder. They are read
     * from the database and include other servers' changes.
     */
    default List<CatalogFolder> folders() {
        List<CatalogFolder> folders = new ArrayList<>();
        for (String name : databases()) {
            database(name).ifPresent(found -> {
                folders.add(new CatalogFolder(name, "", found.location()));
                found.managedLocation().ifPresent(managed -> folders.add(new CatalogFolder(name, "", managed)));
            });
            for (Table table : tablesByName(name, tables(name))) {
                folders.add(
                        new CatalogFolder(name, table.name(), table.storage().location()));
                if (!table.partitionKeys().isEmpty()) {
                    partitions(table, values -> true)
                            .forEach(partition -> folders.add(new CatalogFolder(
                                    name, table.name(), partition.storage().location())));
                }
            }
        }
        return folders;
    }

    /** Creates a table and its folder. An empty location selects the default one. Views have no location. */
    default void createTable(Table table) {
        createTable(table, List.of());
    }

    /** Creates a table with constraints on its rows. */
    void createTable(Table table, List<Constraint> constraints);

    /** Returns the constraints of a table. */
    List<Constraint> constraints(Table table);

    /** Returns the foreign keys of all tables that refer to a table. */
    List<Reference> referencesTo(Table parent);

    /** Returns the materialized views that read a table, as {@code database.view}. */
    List<String> materializedViewsOf(Table source);

    /** Returns the materialized views that may answer queries, as {@code database.view}, with their sources. */
    Map<String, Set<String>> rewritingViews();

    /** A foreign key and the table that has it. */
    record Reference(String database, String table, Constraint.ForeignKey key) {}

    /**
     * Adds all constraints or none.
     *
     * @throws SkepException INVALID_CONSTRAINT
     */
    void addConstraints(Table table, List<Constraint> constraints);

    /** @throws SkepException INVALID_CONSTRAINT when no constraint has this name */
    void dropConstraint(Table table, String name);

    /**
     * Replaces a table's definition, in one transaction. The name and database may change. Then the location of a
     * managed table at its default place changes to that of the new name, together with the locations of partitions
     * below it. The caller must move the folder before this call ({@link #movedFolder(Table, Table)}).
     */
    void alterTable(String database, String name, Table table, boolean cascade);

    /**
     * Replaces the definition of a table, whose name and place stay the same, together with statistics of its columns,
     * in one transaction.
     *
     * @param statistics of some columns of an unpartitioned table; statistics of others are kept
     * @return the definition as the catalog has it now
     */
    Table recordWrite(Table table, List<ColumnStatistics> statistics);

    /**
     * Returns the folder that moves when a table is renamed. Returns empty when the table has no folder, or the folder
     * keeps its location.
     *
     * @throws SkepException FILE_SYSTEM_ERROR when the new location already exists
     */
    Optional<FolderMove> movedFolder(Table table, Table renamed);

    /**
     * Returns the folders that are deleted when a table is dropped: its own, and those of partitions outside it. Views
     * and external tables without external.table.purge have none.
     */
    default List<String> ownFolders(Table table) {
        if (!table.ownsFiles()) {
            return List.of();
        }
        String root = table.storage().location();
        List<String> folders = new ArrayList<>(List.of(root));
        if (!table.partitionKeys().isEmpty()) {
            partitions(table, values -> true).stream()
                    .map(partition -> partition.storage().location())
                    .filter(location -> !location.startsWith(root + "/"))
                    .forEach(folders::add);
        }
        return folders;
    }

    /** @param files what happens to the files of a managed table (of an external one only with external.table.purge) */
    void dropTable(String database, String name, DroppedFiles files);

    /**
     * Returns all partitions whose values the filter accepts. The filter receives texts in the order of the partition
     * keys.
     */
    List<Partition> partitions(Table table, Predicate<List<String>> filter);

    /** Returns the names ({@code k=v/k=v}) of all partitions, sorted. Cheaper than loading the partitions. */
    List<String> partitionNames(Table table);

    /** Returns the existing partitions among the given names, in the order of the names. */
    List<Partition> partitionsByName(Table table, List<String> names);

    Optional<Partition> partition(Table table, List<String> values);

    /**
     * Adds all partitions or none. An empty location selects the default one. Folders are created.
     *
     * @param ifNotExists skips existing partitions; otherwise they fail with PARTITION_EXISTS
     */
    void addPartitions(Table table, List<Partition> partitions, boolean ifNotExists);

    void alterPartitions(Table table, List<Partition> partitions);

    /**
     * Changes the values of a partition, in one transaction. The location of a managed partition at its default place
     * changes to that of the new values. The caller must move the folder before this call
     * ({@link #movedFolder(Table, Partition, List)}).
     */
    void renamePartition(Table table, List<String> values, Partition renamed);

    /** Like {@link #movedFolder(Table, Table)}, for a partition whose values change. */
    Optional<FolderMove> movedFolder(Table table, Partition partition, List<String> values);

    void dropPartitions(Table table, List<List<String>> values, DroppedFiles files);

    /** Returns statistics of columns of an unpartitioned table. Columns without statistics are left out. */
    List<ColumnStatistics> tableStatistics(Table table, List<String> columns);

    /**
     * Returns statistics by partition name ({@code k=v/k=v}). Partitions and columns without statistics are left out.
     */
    Map<String, List<ColumnStatistics>> partitionStatistics(
            Table table, List<String> partitionNames, List<String> columns);

    void putTableStatistics(Table table, List<ColumnStatistics> statistics);

    void putPartitionStatistics(Table table, Map<String, List<ColumnStatistics>> statistics);

    List<Function> functions();

    Optional<Function> function(String database, String name);

    void createFunction(Function function);

    void dropFunction(String database, String name);

    /**
     * Returns a number that changes with every write to the table's definition, partitions or statistics. Used by
     * caches of derived data.
     */
    long version(String database, String table);

    /**
     * Applies changes of other servers up to a position of the notification log. Without this call, they become visible
     * after a short delay. Costs a round trip when something has changed.
     */
    default void refreshTo(long position) {}

    /**
     * Ensures that later reads of these tables reflect the current database, even when other clients change it without
     * notification. When all changes are notified, {@link #refreshTo} is sufficient and this method does nothing.
     */
    default void invalidate(Collection<Table> tables) {}
}
