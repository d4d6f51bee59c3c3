package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import java.sql.Connection;
import java.util.Iterator;
import javax.jdo.datastore.JDOConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.DatabaseProduct;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.HiveObjectType;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.tools.SQLGenerator;
import org.apache.hadoop.hive.metastore.txn.TxnUtils;
import org.apache.hadoop.hive.metastore.txn.jdbc.MultiDataSourceJdbcResource;
import org.apache.hadoop.hive.metastore.txn.jdbc.TransactionalFunction;
import org.apache.hadoop.hive.metastore.txn.jdbc.functions.CleanupRecordsFunction;
import org.apache.hadoop.hive.metastore.txn.jdbc.functions.OnRenameFunction;
import org.jspecify.annotations.NullUnmarked;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Changes the rows about transactions along with the definition of a transactional table: its write ids, locks, written
 * partitions and compactions. Hive does that in a listener, in a database transaction of its own. Here it is part of
 * the transaction that changes the definition, so that a table can neither lose the write ids of its files nor get
 * those of a dropped table of the same name. Other tables cost nothing.
 */
@NullUnmarked
final class TransactionRecords {
    private static final String WORK = "catalog";

    private static final long FIRST_AFTER_CONVERSION = 10_000_001;

    private static final String FIND_NEXT =
            "SELECT \"NWI_NEXT\" FROM \"NEXT_WRITE_ID\" WHERE \"NWI_DATABASE\" = :db AND \"NWI_TABLE\" = :table";
    private static final String REMOVE_EARLIER =
            "DELETE FROM \"NEXT_WRITE_ID\" WHERE \"NWI_DATABASE\" = :db AND \"NWI_TABLE\" = :table"
                    + " AND \"NWI_NEXT\" < :next";
    private static final String BEGIN = "INSERT INTO \"NEXT_WRITE_ID\" (\"NWI_DATABASE\", \"NWI_TABLE\", \"NWI_NEXT\")"
            + " VALUES (:db, :table, :next)";

    private final Configuration settings;

    TransactionRecords(Configuration settings) {
        this.settings = settings;
    }

    /** Removes all rows about a table, including its next write id. */
    void droppedTable(RawStore store, Table table) throws Exception {
        if (TxnUtils.isTransactionalTable(table)) {
            run(store, cleanup(HiveObjectType.TABLE, table, null));
        }
    }

    /** Removes the rows about partitions. The write ids of the table stay. */
    void droppedPartitions(RawStore store, Table table, Iterator<Partition> partitions) throws Exception {
        if (TxnUtils.isTransactionalTable(table)) {
            run(store, cleanup(HiveObjectType.PARTITION, table, partitions));
        }
    }

    private static CleanupRecordsFunction cleanup(HiveObjectType type, Table table, Iterator<Partition> partitions) {
        return new CleanupRecordsFunction(type, null, table, partitions, CATALOG, false, null);
    }

    /**
     * Begins the write ids of a plain table that gets row ids far above 0, as Hive does. Its present rows have the
     * write id 0. A table that has later write ids, from an attempt before, keeps them.
     */
    void convertedTable(RawStore store, Table before, Table after) throws Exception {
        if (TxnUtils.isAcidTable(after) && !TxnUtils.isTransactionalTable(before)) {
            run(store, resource -> {
                MapSqlParameterSource values = new MapSqlParameterSource()
                        .addValue("db", after.getDbName())
                        .addValue("table", after.getTableName())
                        .addValue("next", FIRST_AFTER_CONVERSION);
                NamedParameterJdbcTemplate jdbc = resource.getJdbcTemplate();
                jdbc.update(REMOVE_EARLIER, values);
                if (jdbc.queryForList(FIND_NEXT, values, Long.class).isEmpty()) {
                    jdbc.update(BEGIN, values);
                }
                return null;
            });
        }
    }

    void renamedTable(RawStore store, Table before, Table after) throws Exception {
        if (TxnUtils.isTransactionalTable(before)) {
            run(
                    store,
                    new OnRenameFunction(
                            CATALOG,
                            before.getDbName(),
                            before.getTableName(),
                            null,
                            CATALOG,
                            after.getDbName(),
                            after.getTableName(),
                            null));
        }
    }

    /** @param before the name of the partition, such as {@code ds=x} */
    void renamedPartition(RawStore store, Table table, String before, String after) throws Exception {
        if (TxnUtils.isTransactionalTable(table) && !before.equals(after)) {
            run(
                    store,
                    new OnRenameFunction(
                            CATALOG,
                            table.getDbName(),
                            table.getTableName(),
                            before,
                            CATALOG,
                            table.getDbName(),
                            table.getTableName(),
                            after));
        }
    }

    private void run(RawStore store, TransactionalFunction<Void> change) throws Exception {
        JDOConnection connection = StoreTransaction.of(store).getDataStoreConnection();
        try {
            run((Connection) connection.getNativeConnection(), change);
        } finally {
            connection.close();
        }
    }

    private void run(Connection connection, TransactionalFunction<Void> change) throws Exception {
        DatabaseProduct product = DatabaseProduct.determineDatabaseProduct(
                connection.getMetaData().getDatabaseProductName(), settings);
        MultiDataSourceJdbcResource resource =
                new MultiDataSourceJdbcResource(product, settings, new SQLGenerator(product, settings));
        resource.registerDataSource(WORK, new SingleConnectionDataSource(connection, true));
        resource.bindDataSource(WORK);
        try {
            change.execute(resource);
        } finally {
            resource.unbindDataSource();
        }
    }
}
