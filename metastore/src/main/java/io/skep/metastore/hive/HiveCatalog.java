package io.skep.metastore.hive;

import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFolder;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Constraint;
import io.skep.metastore.Database;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Function;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.metastore.cache.ChangeFeed;
import io.skep.metastore.connector.DataConnectorStore;
import io.skep.metastore.privilege.DelegationTokenStore;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.schedule.ScheduledQueryStore;
import io.skep.metastore.system.SystemRowStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.hive.metastore.PersistenceManagerProvider;

/**
 * The catalog on the metastore's database. Each call is a separate transaction. No state is kept between calls. The
 * library keeps one connection factory per process, so all open catalogs of a process must use the same database.
 */
public final class HiveCatalog implements Catalog, AutoCloseable {
    private final boolean shared;
    private final StorePool stores;
    private final HiveDatabases databases;
    private final HiveTables tables;
    private final TableChange tableChange;
    private final HivePartitions partitions;
    private final HiveStatistics statistics;
    private final HiveConstraints constraints;
    private final HiveFunctions functions;
    private final HivePrivileges privileges;
    private final HiveScheduledQueries scheduledQueries;
    private final HiveDataConnectors connectors;
    private final HiveSystemRows systemRows;
    private final NotificationFeed changes;
    private final AtomicLong lastVersion = new AtomicLong();
    private final ConcurrentHashMap<String, Long> versions = new ConcurrentHashMap<>();

    /**
     * @param connectionUrl URL of a database that has the schema
     * @param shared whether other servers use the database and must be notified of changes
     */
    public HiveCatalog(MetastoreConfig config, String connectionUrl, boolean shared) {
        this.shared = shared;
        NotificationLog log = new NotificationLog(shared, config.allChangesNotified());
        stores = new StorePool(LibrarySettings.of(config, connectionUrl), config.connections(), log::ended);
        WarehouseLayout layout = new WarehouseLayout(config.warehouse(), config.externalWarehouse());
        WarehouseFiles files = new WarehouseFiles(config.defaultFileSystem(), config.properties());
        TransactionRecords transactions = new TransactionRecords(stores.configuration());
        databases = new HiveDatabases(stores, layout, files, log);
        tables = new HiveTables(stores, layout, files, log, transactions);
        statistics = new HiveStatistics(stores, log);
        tableChange = new TableChange(stores, layout, files, log, transactions, statistics, databases::require);
        partitions = new HivePartitions(stores, files, log, transactions);
        constraints = new HiveConstraints(stores, log);
        functions = new HiveFunctions(stores, log);
        privileges = new HivePrivileges(stores);
        scheduledQueries = new HiveScheduledQueries(stores);
        connectors = new HiveDataConnectors(stores);
        systemRows = new HiveSystemRows(stores, config.connections());
        changes = new NotificationFeed(stores, log, config.allChangesNotified());
        databases.createDefault();
        privileges.createDefaults(config.admins());
    }

    public PrivilegeStore privileges() {
        return privileges;
    }

    public ScheduledQueryStore scheduledQueries() {
        return scheduledQueries;
    }

    public DataConnectorStore dataConnectors() {
        return connectors;
    }

    /** Returns what reads the rows of system tables. */
    public SystemRowStore systemRows() {
        return systemRows;
    }

    public DelegationTokenStore delegationTokens() {
        return new HiveDelegationTokens(stores);
    }

    /** Returns other servers' changes, from the notification log. */
    public ChangeFeed changes() {
        return changes;
    }

    @Override
    public List<String> databases() {
        return databases.names();
    }

    @Override
    public Optional<Database> database(String name) {
        return databases.get(name);
    }

    @Override
    public void createDatabase(Database database) {
        databases.create(database);
    }

    @Override
    public void alterDatabase(Database database) {
        databases.alter(database);
    }

    @Override
    public void dropDatabase(String name, boolean cascade) {
        Database database = databases.require(name);
        List<String> names = tables.names(name);
        if (!cascade && !names.isEmpty()) {
            throw HiveDatabases.notEmpty(name);
        }
        for (String table : inDropOrder(name)) {
            dropTable(name, table, DroppedFiles.TRASHED);
        }
        databases.drop(database);
    }

    @Override
    public List<String> tables(String database) {
        return tables.names(database);
    }

    @Override
    public Optional<Table> table(String database, String name) {
        return tables.get(database, name);
    }

    @Override
    public List<Table> tablesByName(String database, List<String> names) {
        return tables.byName(database, names);
    }

    @Override
    public List<CatalogFolder> folders() {
        return HiveFolders.all(stores);
    }

    @Override
    public void createTable(Table table, List<Constraint> held) {
        tables.create(databases.require(table.database()), table, held);
        changed(table.database(), table.name());
    }

    @Override
    public List<Constraint> constraints(Table table) {
        return constraints.of(table);
    }

    @Override
    public List<Reference> referencesTo(Table parent) {
        return constraints.referencesTo(parent);
    }

    @Override
    public List<String> materializedViewsOf(Table source) {
        return tables.materializedViewsOf(source);
    }

    @Override
    public Map<String, Set<String>> rewritingViews() {
        return tables.rewritingViews();
    }

    @Override
    public void addConstraints(Table table, List<Constraint> added) {
        constraints.add(table, added);
        changed(table.database(), table.name());
    }

    @Override
    public void dropConstraint(Table table, String name) {
        constraints.drop(table, name);
        changed(table.database(), table.name());
    }

    @Override
    public void alterTable(String database, String name, Table table, boolean cascade) {
        tableChange.run(database, name, table, cascade);
        changed(database, name);
        changed(table.database(), table.name());
    }

    @Override
    public Table recordWrite(Table table, List<ColumnStatistics> columns) {
        Table recorded = tableChange.record(table, columns);
        changed(table.database(), table.name());
        return recorded;
    }

    @Override
    public Optional<FolderMove> movedFolder(Table table, Table renamed) {
        return tableChange.movedFolder(table, renamed);
    }

    @Override
    public Optional<FolderMove> movedFolder(Table table, Partition partition, List<String> values) {
        return partitions.movedFolder(table, partition, values);
    }

    @Override
    public List<String> ownFolders(Table table) {
        return tables.ownFolders(table);
    }

    @Override
    public void dropTable(String database, String name, DroppedFiles files) {
        tables.drop(database, name, files);
        changed(database, name);
    }

    @Override
    public List<Partition> partitions(Table table, Predicate<List<String>> filter) {
        List<String> names = partitions.names(table).stream()
                .filter(name -> filter.test(PartitionName.values(name)))
                .toList();
        return partitions.byName(table, names);
    }

    @Override
    public List<String> partitionNames(Table table) {
        return partitions.names(table);
    }

    @Override
    public List<Partition> partitionsByName(Table table, List<String> names) {
        return partitions.byName(table, names);
    }

    @Override
    public Optional<Partition> partition(Table table, List<String> values) {
        return partitions.byName(table, List.of(PartitionName.of(table, values))).stream()
                .findFirst();
    }

    @Override
    public void addPartitions(Table table, List<Partition> added, boolean ifNotExists) {
        partitions.add(table, added, ifNotExists);
        changed(table.database(), table.name());
    }

    @Override
    public void alterPartitions(Table table, List<Partition> altered) {
        partitions.alter(table, altered);
        changed(table.database(), table.name());
    }

    @Override
    public void renamePartition(Table table, List<String> values, Partition renamed) {
        partitions.rename(table, values, renamed);
        changed(table.database(), table.name());
    }

    @Override
    public void dropPartitions(Table table, List<List<String>> values, DroppedFiles files) {
        partitions.drop(table, values, files);
        changed(table.database(), table.name());
    }

    @Override
    public List<ColumnStatistics> tableStatistics(Table table, List<String> columns) {
        return statistics.ofTable(table, columns);
    }

    @Override
    public Map<String, List<ColumnStatistics>> partitionStatistics(
            Table table, List<String> partitionNames, List<String> columns) {
        return statistics.ofPartitions(table, partitionNames, columns);
    }

    @Override
    public void putTableStatistics(Table table, List<ColumnStatistics> columns) {
        statistics.putTable(table, columns);
        changed(table.database(), table.name());
    }

    @Override
    public void putPartitionStatistics(Table table, Map<String, List<ColumnStatistics>> columns) {
        statistics.putPartitions(table, columns);
        changed(table.database(), table.name());
    }

    @Override
    public List<Function> functions() {
        return functions.all();
    }

    @Override
    public Optional<Function> function(String database, String name) {
        return functions.get(database, name);
    }

    @Override
    public void createFunction(Function function) {
        functions.create(function);
    }

    @Override
    public void dropFunction(String database, String name) {
        functions.drop(database, name);
    }

    /** Returns a version that reflects only changes through this catalog. */
    @Override
    public long version(String database, String table) {
        return versions.getOrDefault(database + "." + table, 0L);
    }

    private void changed(String database, String table) {
        versions.put(database + "." + table, lastVersion.incrementAndGet());
    }

    /**
     * Closes the catalog's use of the database. Connections to a shared database belong to the process, because other
     * catalogs may use them. They stay open until the process terminates.
     */
    @Override
    public void close() {
        stores.close();
        if (!shared) {
            PersistenceManagerProvider.closePmfIfNeeded(false, true);
        }
    }
}
