package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
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
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.session.TemporaryTables;
import io.skep.ql.session.TemporaryTables.Contents;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The catalog as a session's statements see it. Partitions and statistics of temporary tables come from the session,
 * all other objects from the shared catalog.
 */
final class SessionCatalog implements Catalog {
    private final Catalog shared;
    private final TemporaryTables temporary;
    private final TableFiles files;
    private final SessionFiles ofUser;

    /** @param ofUser gets the folders that new objects have */
    SessionCatalog(Catalog shared, TemporaryTables temporary, TableFiles files, SessionFiles ofUser) {
        this.ofUser = ofUser;
        this.shared = shared;
        this.temporary = temporary;
        this.files = files;
    }

    @Override
    public List<String> databases() {
        return shared.databases();
    }

    @Override
    public Optional<Database> database(String name) {
        return shared.database(name);
    }

    @Override
    public void createDatabase(Database database) {
        List<String> folders = new ArrayList<>(List.of(database.location()));
        database.managedLocation().ifPresent(folders::add);
        ofUser.giveFolders(folders, () -> shared.createDatabase(database));
    }

    @Override
    public void alterDatabase(Database database) {
        shared.alterDatabase(database);
    }

    @Override
    public void dropDatabase(String name, boolean cascade) {
        shared.dropDatabase(name, cascade);
    }

    @Override
    public List<String> tables(String database) {
        return shared.tables(database);
    }

    @Override
    public Optional<Table> table(String database, String name) {
        return shared.table(database, name);
    }

    @Override
    public List<Table> tablesByName(String database, List<String> names) {
        return shared.tablesByName(database, names);
    }

    @Override
    public List<CatalogFolder> folders() {
        List<CatalogFolder> folders = new ArrayList<>(shared.folders());
        for (Table table : temporary.all()) {
            folders.add(new CatalogFolder(
                    table.database(), table.name(), table.storage().location()));
            partitions(table, values -> true)
                    .forEach(partition -> folders.add(new CatalogFolder(
                            table.database(), table.name(), partition.storage().location())));
        }
        return folders;
    }

    @Override
    public void createTable(Table table, List<Constraint> constraints) {
        ofUser.giveFolders(List.of(table.storage().location()), () -> shared.createTable(table, constraints));
    }

    @Override
    public List<Constraint> constraints(Table table) {
        return temporary.contents(table).isPresent() ? temporary.constraints(table) : shared.constraints(table);
    }

    @Override
    public List<Reference> referencesTo(Table parent) {
        return temporary.contents(parent).isPresent() ? List.of() : shared.referencesTo(parent);
    }

    @Override
    public List<String> materializedViewsOf(Table source) {
        return temporary.contents(source).isPresent() ? List.of() : shared.materializedViewsOf(source);
    }

    @Override
    public Map<String, Set<String>> rewritingViews() {
        return shared.rewritingViews();
    }

    @Override
    public void addConstraints(Table table, List<Constraint> constraints) {
        shared.addConstraints(table, constraints);
    }

    @Override
    public void dropConstraint(Table table, String name) {
        shared.dropConstraint(table, name);
    }

    @Override
    public void alterTable(String database, String name, Table table, boolean cascade) {
        shared.alterTable(database, name, table, cascade);
    }

    @Override
    public Table recordWrite(Table table, List<ColumnStatistics> statistics) {
        Optional<Table> before = temporary.get(table.database(), table.name());
        if (before.isEmpty()) {
            return shared.recordWrite(table, statistics);
        }
        temporary.replace(before.get(), table);
        putTableStatistics(table, statistics);
        return table;
    }

    @Override
    public Optional<FolderMove> movedFolder(Table table, Table renamed) {
        return shared.movedFolder(table, renamed);
    }

    /** Partitions of temporary tables move by themselves, since no other session sees them in between. */
    @Override
    public Optional<FolderMove> movedFolder(Table table, Partition partition, List<String> values) {
        return temporary.contents(table).isPresent() ? Optional.empty() : shared.movedFolder(table, partition, values);
    }

    @Override
    public List<String> ownFolders(Table table) {
        return shared.ownFolders(table);
    }

    @Override
    public void dropTable(String database, String name, DroppedFiles dropped) {
        shared.dropTable(database, name, dropped);
    }

    @Override
    public List<Partition> partitions(Table table, Predicate<List<String>> filter) {
        return temporary
                .contents(table)
                .map(contents -> contents.partitions().values().stream()
                        .filter(partition -> filter.test(partition.values()))
                        .toList())
                .orElseGet(() -> shared.partitions(table, filter));
    }

    @Override
    public List<String> partitionNames(Table table) {
        return temporary
                .contents(table)
                .map(contents -> List.copyOf(contents.partitions().keySet()))
                .orElseGet(() -> shared.partitionNames(table));
    }

    @Override
    public List<Partition> partitionsByName(Table table, List<String> names) {
        return temporary
                .contents(table)
                .map(contents -> names.stream()
                        .flatMap(name ->
                                Optional.ofNullable(contents.partitions().get(name)).stream())
                        .toList())
                .orElseGet(() -> shared.partitionsByName(table, names));
    }

    @Override
    public Optional<Partition> partition(Table table, List<String> values) {
        Optional<Contents> contents = temporary.contents(table);
        return contents.isEmpty()
                ? shared.partition(table, values)
                : Optional.ofNullable(contents.get().partitions().get(PartitionName.of(table, values)));
    }

    @Override
    public void addPartitions(Table table, List<Partition> partitions, boolean ifNotExists) {
        Optional<Contents> contents = temporary.contents(table);
        if (contents.isEmpty()) {
            ofUser.giveFolders(locations(partitions), () -> shared.addPartitions(table, partitions, ifNotExists));
            return;
        }
        Map<String, Partition> known = contents.get().partitions();
        Map<String, Partition> fresh = new HashMap<>();
        for (Partition partition : partitions) {
            String name = PartitionName.of(table, partition.values());
            if (known.containsKey(name) && !ifNotExists) {
                throw new SkepException(
                        StandardErrorCode.PARTITION_EXISTS,
                        "AlreadyExistsException(message:Partition already exists: " + name + ")");
            }
            if (!known.containsKey(name)) {
                fresh.put(name, located(table, name, partition));
            }
        }
        List<String> folders = locations(fresh.values());
        folders.forEach(ofUser::requireWritable);
        ofUser.giveFolders(folders, () -> folders.forEach(files::makeDirectory));
        known.putAll(fresh);
    }

    private static List<String> locations(Collection<Partition> partitions) {
        return partitions.stream()
                .map(partition -> partition.storage().location())
                .toList();
    }

    private static Partition located(Table table, String name, Partition partition) {
        return partition.storage().location().isEmpty()
                ? Revision.storage(
                        partition,
                        Revision.location(partition.storage(), table.storage().location() + "/" + name))
                : partition;
    }

    @Override
    public void alterPartitions(Table table, List<Partition> partitions) {
        Optional<Contents> contents = temporary.contents(table);
        if (contents.isEmpty()) {
            shared.alterPartitions(table, partitions);
            return;
        }
        partitions.forEach(
                partition -> contents.get().partitions().put(PartitionName.of(table, partition.values()), partition));
    }

    @Override
    public void renamePartition(Table table, List<String> values, Partition renamed) {
        Optional<Contents> contents = temporary.contents(table);
        if (contents.isEmpty()) {
            shared.renamePartition(table, values, renamed);
            return;
        }
        String before = PartitionName.of(table, values);
        String after = PartitionName.of(table, renamed.values());
        String location = table.storage().location() + "/" + after;
        ofUser.requireRemovable(List.of(renamed.storage().location()));
        files.move(renamed.storage().location(), location);
        contents.get().partitions().remove(before);
        contents.get().partitionColumns().remove(before);
        contents.get()
                .partitions()
                .put(after, Revision.storage(renamed, Revision.location(renamed.storage(), location)));
    }

    @Override
    public void dropPartitions(Table table, List<List<String>> values, DroppedFiles dropped) {
        Optional<Contents> contents = temporary.contents(table);
        if (contents.isEmpty()) {
            shared.dropPartitions(table, values, dropped);
            return;
        }
        if (dropped != DroppedFiles.KEPT) {
            ofUser.requireRemovable(locations(partitions(table, values::contains)));
        }
        for (List<String> one : values) {
            String name = PartitionName.of(table, one);
            Partition gone = contents.get().partitions().remove(name);
            contents.get().partitionColumns().remove(name);
            if (gone != null && dropped != DroppedFiles.KEPT) {
                files.delete(gone.storage().location());
            }
        }
    }

    @Override
    public List<ColumnStatistics> tableStatistics(Table table, List<String> columns) {
        return temporary
                .contents(table)
                .map(contents -> known(contents.columns(), columns))
                .orElseGet(() -> shared.tableStatistics(table, columns));
    }

    private static List<ColumnStatistics> known(Map<String, ColumnStatistics> statistics, List<String> columns) {
        return columns.stream()
                .flatMap(column -> Optional.ofNullable(statistics.get(column)).stream())
                .toList();
    }

    @Override
    public Map<String, List<ColumnStatistics>> partitionStatistics(
            Table table, List<String> partitionNames, List<String> columns) {
        Optional<Contents> contents = temporary.contents(table);
        if (contents.isEmpty()) {
            return shared.partitionStatistics(table, partitionNames, columns);
        }
        Map<String, List<ColumnStatistics>> found = new HashMap<>();
        for (String name : partitionNames) {
            List<ColumnStatistics> known =
                    known(contents.get().partitionColumns().getOrDefault(name, Map.of()), columns);
            if (!known.isEmpty()) {
                found.put(name, known);
            }
        }
        return found;
    }

    @Override
    public void putTableStatistics(Table table, List<ColumnStatistics> statistics) {
        Optional<Contents> contents = temporary.contents(table);
        if (contents.isEmpty()) {
            shared.putTableStatistics(table, statistics);
            return;
        }
        statistics.forEach(column -> contents.get().columns().put(column.column(), column));
    }

    @Override
    public void putPartitionStatistics(Table table, Map<String, List<ColumnStatistics>> statistics) {
        Optional<Contents> contents = temporary.contents(table);
        if (contents.isEmpty()) {
            shared.putPartitionStatistics(table, statistics);
            return;
        }
        statistics.forEach((name, columns) -> {
            Map<String, ColumnStatistics> known =
                    contents.get().partitionColumns().computeIfAbsent(name, ignored -> new ConcurrentHashMap<>());
            columns.forEach(column -> known.put(column.column(), column));
        });
    }

    @Override
    public List<Function> functions() {
        return shared.functions();
    }

    @Override
    public Optional<Function> function(String database, String name) {
        return shared.function(database, name);
    }

    @Override
    public void createFunction(Function function) {
        shared.createFunction(function);
    }

    @Override
    public void dropFunction(String database, String name) {
        shared.dropFunction(database, name);
    }

    @Override
    public long version(String database, String table) {
        return shared.version(database, table);
    }
}
