package io.skep.metastore;

import io.skep.common.error.SkepException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Databases, tables, partitions, statistics. Names are lower case. Reads come from versioned snapshots; a write is
 * visible to the next read of this server. All methods may block, and fail with a {@link SkepException}:
 * METASTORE_ERROR, or the code that names what is missing or there already.
 */
public interface Catalog {
    List<String> databases();

    Optional<Database> database(String name);

    /** An empty location asks for the warehouse's default. */
    void createDatabase(Database database);

    void alterDatabase(Database database);

    /** @param cascade drops its tables first; DATABASE_NOT_EMPTY otherwise when there are any */
    void dropDatabase(String name, boolean cascade);

    /** All tables and views of a database, sorted. */
    List<String> tables(String database);

    Optional<Table> table(String database, String name);

    /** The tables and views of these names that are there, in the order of the names; one round trip for many. */
    default List<Table> tablesByName(String database, List<String> names) {
        return names.stream().flatMap(name -> table(database, name).stream()).toList();
    }

    /**
     * The folders of all databases and tables, and those of partitions that lie outside of their table's folder. They
     * come from the database, with other servers' changes.
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

    /** An empty location asks for the default one (views have none); the folder is made. */
    default void createTable(Table table) {
        createTable(table, List.of());
    }

    /** The same, with what its rows are held to. */
    void createTable(Table table, List<Constraint> constraints);

    /** What holds for a table's rows. */
    List<Constraint> constraints(Table table);

    /** Adds all or none. @throws SkepException INVALID_CONSTRAINT */
    void addConstraints(Table table, List<Constraint> constraints);

    /** @throws SkepException INVALID_CONSTRAINT when there is none of the name */
    void dropConstraint(Table table, String name);

    /**
     * Replaces a table's definition, in one transaction. The name and database may change: then the location of a
     * managed table at its default place, and those of partitions below it, become those of the new name. The folder is
     * the caller's to move, before ({@link #movedFolder(Table, Table)}).
     */
    void alterTable(String database, String name, Table table, boolean cascade);

    /**
     * The folder that goes along when a table gets another name; empty when there is none, or it stays where it is.
     *
     * @throws SkepException FILE_SYSTEM_ERROR when something is at its new place
     */
    Optional<FolderMove> movedFolder(Table table, Table renamed);

    /**
     * The folders that go with a table when it is dropped: its own, and those of partitions that lie elsewhere. None of
     * views, nor of external tables without external.table.purge.
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

    /** @param files those of a managed table (of an external one only with external.table.purge) */
    void dropTable(String database, String name, DroppedFiles files);

    /** All partitions whose values the filter accepts; the filter sees texts in the order of the partition keys. */
    List<Partition> partitions(Table table, Predicate<List<String>> filter);

    /** Names ({@code k=v/k=v}) of all partitions, sorted; cheaper than the partitions themselves. */
    List<String> partitionNames(Table table);

    /** The partitions of these names that are there, in the order of the names. */
    List<Partition> partitionsByName(Table table, List<String> names);

    Optional<Partition> partition(Table table, List<String> values);

    /**
     * Adds all or none. An empty location asks for the default one; folders are made.
     *
     * @param ifNotExists skips those that are there; PARTITION_EXISTS otherwise
     */
    void addPartitions(Table table, List<Partition> partitions, boolean ifNotExists);

    void alterPartitions(Table table, List<Partition> partitions);

    /**
     * Gives a partition other values, in one transaction. The location of a managed one at its default place becomes
     * that of the new values. The folder is the caller's to move, before
     * ({@link #movedFolder(Table, Partition, List)}).
     */
    void renamePartition(Table table, List<String> values, Partition renamed);

    /** The same as {@link #movedFolder(Table, Table)} for a partition that gets other values. */
    Optional<FolderMove> movedFolder(Table table, Partition partition, List<String> values);

    void dropPartitions(Table table, List<List<String>> values, DroppedFiles files);

    /** Statistics of columns of an unpartitioned table; columns without statistics are left out. */
    List<ColumnStatistics> tableStatistics(Table table, List<String> columns);

    /** By partition name ({@code k=v/k=v}); partitions and columns without statistics are left out. */
    Map<String, List<ColumnStatistics>> partitionStatistics(
            Table table, List<String> partitionNames, List<String> columns);

    void putTableStatistics(Table table, List<ColumnStatistics> statistics);

    void putPartitionStatistics(Table table, Map<String, List<ColumnStatistics>> statistics);

    List<Function> functions();

    Optional<Function> function(String database, String name);

    void createFunction(Function function);

    void dropFunction(String database, String name);

    /** Changes with every write to the table's definition, partitions or statistics; for caches of what was derived. */
    long version(String database, String table);

    /**
     * Takes in what others have changed up to a position of the notification log, which is otherwise seen a moment
     * later. Costs a round trip when something has changed.
     */
    default void catchUp(long position) {}

    /**
     * What is said of tables from now on is what the database has now, also where others change it and do not tell.
     * Where all changes are told, {@link #catchUp} is enough, and this does nothing.
     */
    default void doubt(Collection<Table> tables) {}
}
