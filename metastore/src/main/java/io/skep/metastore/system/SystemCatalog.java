package io.skep.metastore.system;

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
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A catalog with the system tables. They take the place of those that Hive's scripts have made in the metastore. A
 * database of the site's own that has such a name stays as it is, and the system tables of that name do not exist.
 * Nothing about a system table can be changed.
 */
public final class SystemCatalog implements Catalog {
    private final Catalog catalog;
    private final ScriptedTables scripted;

    public SystemCatalog(Catalog catalog) {
        this.catalog = catalog;
        this.scripted = new ScriptedTables(catalog);
    }

    private boolean isSystem(String database) {
        return SystemTables.isName(database) && (catalog.database(database).isEmpty() || scripted.isDatabase(database));
    }

    /** Returns the error of a change. */
    public static SkepException readOnly(String name) {
        return new SkepException(StandardErrorCode.NOT_SUPPORTED, name + " belongs to the system and cannot be changed")
                .withHint("the databases " + String.join(" and ", SystemTables.DATABASES) + " are built in");
    }

    private void requireOwn(String database) {
        if (isSystem(database)) {
            throw readOnly(database);
        }
    }

    private Table requireOwn(Table table) {
        if (table.isSystem()) {
            throw readOnly(table.qualifiedName());
        }
        return table;
    }

    /** Returns the metastore's databases: a script that does something with each of them finds what Hive has. */
    @Override
    public List<String> databases() {
        return catalog.databases();
    }

    @Override
    public Optional<Database> database(String name) {
        Optional<Database> found = catalog.database(name);
        return found.isEmpty() && SystemTables.isName(name) ? Optional.of(definition(name)) : found;
    }

    private static Database definition(String name) {
        return new Database(name, Optional.empty(), "", Optional.empty(), "", false, Map.of());
    }

    @Override
    public void createDatabase(Database database) {
        requireOwn(database.name());
        catalog.createDatabase(database);
    }

    @Override
    public void alterDatabase(Database database) {
        requireOwn(database.name());
        catalog.alterDatabase(database);
    }

    @Override
    public void dropDatabase(String name, boolean cascade) {
        requireOwn(name);
        catalog.dropDatabase(name, cascade);
    }

    @Override
    public List<String> tables(String database) {
        if (!isSystem(database)) {
            return catalog.tables(database);
        }
        Set<String> names = new TreeSet<>(SystemTables.names(database));
        scripted.others(database).forEach(names::add);
        return List.copyOf(names);
    }

    @Override
    public Optional<Table> table(String database, String name) {
        if (!isSystem(database)) {
            return catalog.table(database, name);
        }
        return SystemTables.find(database, name)
                .map(SystemTable::definition)
                .or(() -> catalog.table(database, name).filter(table -> !ScriptedTables.includes(table)));
    }

    @Override
    public List<Table> tablesByName(String database, List<String> names) {
        if (!isSystem(database)) {
            return catalog.tablesByName(database, names);
        }
        List<Table> found = new ArrayList<>();
        names.forEach(name -> table(database, name).ifPresent(found::add));
        return found;
    }

    @Override
    public List<String> inDropOrder(String database) {
        return catalog.inDropOrder(database);
    }

    @Override
    public List<CatalogFolder> folders() {
        return catalog.folders();
    }

    @Override
    public void createTable(Table table, List<Constraint> constraints) {
        requireOwn(table.database());
        catalog.createTable(table, constraints);
    }

    @Override
    public List<Constraint> constraints(Table table) {
        return table.isSystem() ? List.of() : catalog.constraints(table);
    }

    @Override
    public List<Reference> referencesTo(Table parent) {
        return parent.isSystem() ? List.of() : catalog.referencesTo(parent);
    }

    @Override
    public List<String> materializedViewsOf(Table source) {
        return source.isSystem() ? List.of() : catalog.materializedViewsOf(source);
    }

    @Override
    public Map<String, Set<String>> rewritingViews() {
        return catalog.rewritingViews();
    }

    @Override
    public void addConstraints(Table table, List<Constraint> constraints) {
        catalog.addConstraints(requireOwn(table), constraints);
    }

    @Override
    public void dropConstraint(Table table, String name) {
        catalog.dropConstraint(requireOwn(table), name);
    }

    @Override
    public void alterTable(String database, String name, Table table, boolean cascade) {
        requireOwn(database);
        requireOwn(table.database());
        catalog.alterTable(database, name, requireOwn(table), cascade);
    }

    @Override
    public Table recordWrite(Table table, List<ColumnStatistics> statistics) {
        return catalog.recordWrite(requireOwn(table), statistics);
    }

    @Override
    public Optional<FolderMove> movedFolder(Table table, Table renamed) {
        requireOwn(renamed.database());
        return catalog.movedFolder(requireOwn(table), renamed);
    }

    @Override
    public List<String> ownFolders(Table table) {
        return table.isSystem() ? List.of() : catalog.ownFolders(table);
    }

    @Override
    public void dropTable(String database, String name, DroppedFiles files) {
        table(database, name).ifPresent(this::requireOwn);
        catalog.dropTable(database, name, files);
    }

    @Override
    public List<Partition> partitions(Table table, Predicate<List<String>> filter) {
        return table.isSystem() ? List.of() : catalog.partitions(table, filter);
    }

    @Override
    public List<String> partitionNames(Table table) {
        return table.isSystem() ? List.of() : catalog.partitionNames(table);
    }

    @Override
    public List<Partition> partitionsByName(Table table, List<String> names) {
        return table.isSystem() ? List.of() : catalog.partitionsByName(table, names);
    }

    @Override
    public Optional<Partition> partition(Table table, List<String> values) {
        return table.isSystem() ? Optional.empty() : catalog.partition(table, values);
    }

    @Override
    public void addPartitions(Table table, List<Partition> partitions, boolean ifNotExists) {
        catalog.addPartitions(requireOwn(table), partitions, ifNotExists);
    }

    @Override
    public void alterPartitions(Table table, List<Partition> partitions) {
        catalog.alterPartitions(requireOwn(table), partitions);
    }

    @Override
    public void renamePartition(Table table, List<String> values, Partition renamed) {
        catalog.renamePartition(requireOwn(table), values, renamed);
    }

    @Override
    public Optional<FolderMove> movedFolder(Table table, Partition partition, List<String> values) {
        return catalog.movedFolder(requireOwn(table), partition, values);
    }

    @Override
    public void dropPartitions(Table table, List<List<String>> values, DroppedFiles files) {
        catalog.dropPartitions(requireOwn(table), values, files);
    }

    @Override
    public List<ColumnStatistics> tableStatistics(Table table, List<String> columns) {
        return table.isSystem() ? List.of() : catalog.tableStatistics(table, columns);
    }

    @Override
    public Map<String, List<ColumnStatistics>> partitionStatistics(
            Table table, List<String> partitionNames, List<String> columns) {
        return table.isSystem() ? Map.of() : catalog.partitionStatistics(table, partitionNames, columns);
    }

    @Override
    public void putTableStatistics(Table table, List<ColumnStatistics> statistics) {
        catalog.putTableStatistics(requireOwn(table), statistics);
    }

    @Override
    public void putPartitionStatistics(Table table, Map<String, List<ColumnStatistics>> statistics) {
        catalog.putPartitionStatistics(requireOwn(table), statistics);
    }

    @Override
    public List<Function> functions() {
        return catalog.functions();
    }

    @Override
    public Optional<Function> function(String database, String name) {
        return catalog.function(database, name);
    }

    @Override
    public void createFunction(Function function) {
        requireOwn(function.database());
        catalog.createFunction(function);
    }

    @Override
    public void dropFunction(String database, String name) {
        catalog.dropFunction(database, name);
    }

    @Override
    public long version(String database, String table) {
        return catalog.version(database, table);
    }

    @Override
    public void refreshTo(long position) {
        catalog.refreshTo(position);
    }

    @Override
    public void invalidate(Collection<Table> tables) {
        catalog.invalidate(tables.stream().filter(table -> !table.isSystem()).toList());
    }
}
