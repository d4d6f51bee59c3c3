package io.skep.metastore.hive;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.system.RowCondition;
import io.skep.metastore.system.RowRequest;
import io.skep.metastore.system.RowTarget;
import io.skep.metastore.system.SystemRowStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Semaphore;
import javax.jdo.datastore.JDOConnection;
import org.apache.hadoop.hive.metastore.DatabaseProduct;
import org.apache.hadoop.hive.metastore.RawStore;

/**
 * Reads the rows of system tables with one query of the metastore's database for each request. Only a part of the
 * threads of the database do so at a time, since a read lasts as long as its target takes rows.
 */
final class HiveSystemRows implements SystemRowStore {
    private static final int FETCH_SIZE = 1000;

    private final StorePool stores;
    private final Semaphore turns;

    /** @param connections the number of threads of the database */
    HiveSystemRows(StorePool stores, int connections) {
        this.stores = stores;
        this.turns = new Semaphore(Math.max(1, connections / 2));
    }

    @Override
    public void read(RowRequest request, RowTarget target) {
        String what =
                "read " + request.table().database() + "." + request.table().name();
        try {
            turns.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Interruption.check();
            throw DatabaseThreads.canceled(what);
        }
        try {
            stores.readInParts(what, (store, wanted) -> inTransaction(store, request, target, wanted));
        } finally {
            turns.release();
        }
    }

    private boolean inTransaction(RawStore store, RowRequest request, RowTarget target, Runnable wanted)
            throws Exception {
        boolean committed = false;
        store.openTransaction();
        try {
            JDOConnection connection = StoreTransaction.of(store).getDataStoreConnection();
            try {
                read((Connection) connection.getNativeConnection(), request, target, wanted);
            } finally {
                connection.close();
            }
            committed = store.commitTransaction();
            return committed;
        } finally {
            if (!committed) {
                store.rollbackTransaction();
            }
        }
    }

    private void read(Connection connection, RowRequest request, RowTarget target, Runnable wanted)
            throws SQLException {
        DatabaseProduct product = DatabaseProduct.determineDatabaseProduct(
                connection.getMetaData().getDatabaseProductName(), stores.configuration());
        String quotes = product.getPrepareTxnStmt();
        if (quotes != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(quotes);
            }
        }
        SystemSelect select = SystemSelect.of(request);
        try (PreparedStatement statement =
                connection.prepareStatement(select.sql(), ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
            // With this size, MySQL's driver reads one row after another. With all others it keeps all rows.
            statement.setFetchSize(product.isMYSQL() ? Integer.MIN_VALUE : FETCH_SIZE);
            bind(statement, select.parameters());
            pass(statement, select, target, wanted);
        }
    }

    private static void bind(PreparedStatement statement, List<Object> parameters) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            switch (parameters.get(i)) {
                case Long number -> statement.setLong(i + 1, number);
                case String text -> statement.setString(i + 1, text);
                default -> throw new IllegalArgumentException("a value of " + RowCondition.class.getSimpleName());
            }
        }
    }

    private static void pass(PreparedStatement statement, SystemSelect select, RowTarget target, Runnable wanted)
            throws SQLException {
        boolean passed = false;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                wanted.run();
                passed |= select.pass(rows, target);
            }
        } catch (SQLException e) {
            if (!passed) {
                throw e;
            }
            // The target has rows that another try would give once more.
            throw new SkepException(
                    StandardErrorCode.METASTORE_ERROR,
                    "the metastore's database failed between rows of a system table: " + e.getMessage(),
                    e);
        }
    }
}
