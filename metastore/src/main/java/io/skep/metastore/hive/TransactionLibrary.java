package io.skep.metastore.hive;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.zaxxer.hikari.HikariDataSource;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.hive.DatabaseThreads.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.DatabaseProduct;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;
import org.apache.hadoop.hive.metastore.datasource.HikariCPDataSourceProvider;
import org.apache.hadoop.hive.metastore.txn.TxnStore;
import org.apache.hadoop.hive.metastore.txn.TxnUtils;
import org.apache.hadoop.hive.metastore.txn.jdbc.MultiDataSourceJdbcResource;
import org.apache.hadoop.hive.metastore.txn.retry.SqlRetryCallProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The part of Hive's library that works on the tables of transactions, with threads and connections of its own. It is
 * loaded and connects on first use. The library keeps connection pools in static fields. They are replaced in each of
 * its objects by pools that belong to this one, which closes them. The library itself runs work again that the database
 * may accept later.
 */
final class TransactionLibrary implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(TransactionLibrary.class.getName());

    /** Work of statements is short. More threads would wait for each other's row locks. */
    private static final int THREADS = 4;

    private static final long IDLE_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final int ATTEMPTS = 5;
    private static final long RETRY_MILLIS = 500;

    /**
     * The limit of a server that is suspended while it holds one of Hive's mutexes. The longest work under a mutex, the
     * abort of many transactions, commits within it.
     */
    private static final Duration IDLE_MUTEX = Duration.ofMinutes(1);

    private final Configuration settings;
    private final DatabaseThreads threads = new DatabaseThreads("metastore-transaction-", THREADS);
    private final ConcurrentLinkedDeque<TxnStore> idle = new ConcurrentLinkedDeque<>();

    @GuardedBy("this")
    private @Nullable Pools pools;

    @GuardedBy("this")
    private boolean closed;

    /** Work with the library, which may run again when the database requires a retry. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T in(TxnStore store) throws Exception;
    }

    /** Work with functions of the library. */
    @FunctionalInterface
    interface Query<T extends @Nullable Object> {
        T in(MultiDataSourceJdbcResource connections) throws MetaException;
    }

    /**
     * @param statements the pool of the work, as the library uses it
     * @param mutexes for connections that keep a row locked while work is done on others
     */
    private record Pools(HikariDataSource work, DataSource statements, HikariDataSource mutexes) {
        void close() {
            work.close();
            mutexes.close();
        }
    }

    TransactionLibrary(MetastoreConfig config, String connectionUrl) {
        this.settings = settings(config, connectionUrl);
    }

    private static Configuration settings(MetastoreConfig config, String connectionUrl) {
        Configuration settings = LibrarySettings.of(config, connectionUrl);
        // Without a pool of the library, which could not be closed.
        MetastoreConf.setVar(settings, ConfVars.CONNECTION_POOLING_TYPE, "none");
        // Events of transactions are for replication. Their listener is not in the library.
        MetastoreConf.setVar(settings, ConfVars.TRANSACTIONAL_EVENT_LISTENERS, "");
        MetastoreConf.setTimeVar(
                settings, ConfVars.TXN_TIMEOUT, config.transactions().timeout().toMillis(), TimeUnit.MILLISECONDS);
        MetastoreConf.setLongVar(settings, ConfVars.HMS_HANDLER_ATTEMPTS, ATTEMPTS);
        MetastoreConf.setTimeVar(settings, ConfVars.HMS_HANDLER_INTERVAL, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        settings.set("hikaricp.minimumIdle", "0");
        settings.set("hikaricp.idleTimeout", Long.toString(IDLE_MILLIS));
        settings.set("hikaricp.initializationFailTimeout", "-1");
        return settings;
    }

    /** Whether anything has used the library. */
    synchronized boolean isUsed() {
        return pools != null;
    }

    <T extends @Nullable Object> T read(String what, Work<T> work) {
        return run(what, work, Effect.READ);
    }

    /** Runs functions of the library that only read, in the place of one of its calls. */
    <T extends @Nullable Object> T query(String what, Query<T> query) {
        return read(what, store -> {
            SqlRetryCallProperties caller = new SqlRetryCallProperties().withCallerId(what);
            MultiDataSourceJdbcResource connections = store.getJdbcResourceHolder();
            return store.getRetryHandler().executeWithRetry(caller, () -> {
                connections.bindDataSource(TxnStore.POOL_TX);
                try {
                    return query.in(connections);
                } finally {
                    connections.unbindDataSource();
                }
            });
        });
    }

    <T extends @Nullable Object> T write(String what, Work<T> work) {
        return run(what, work, Effect.WRITE);
    }

    /** Ends something, for interrupted callers too. */
    <T extends @Nullable Object> T end(String what, Work<T> work) {
        return run(what, work, Effect.END);
    }

    /**
     * Runs work of the calling thread while it holds one of Hive's mutexes. The work calls the other methods. A Derby
     * database belongs to this process, whose callers do one work of a kind at a time.
     *
     * @param mutex the name of the mutex
     */
    void inTurn(String mutex, Runnable work) {
        if (LibrarySettings.isDerby(settings)) {
            work.run();
            return;
        }
        TxnStore store = borrow();
        TxnStore.MutexAPI.LockHandle held;
        try {
            held = store.getMutexAPI().acquireLock(mutex);
        } catch (MetaException e) {
            throw TransactionErrors.of("wait for the mutex " + mutex, e);
        }
        try {
            work.run();
        } finally {
            release(mutex, held);
            idle.addFirst(store);
        }
    }

    /** After work of more than a minute, the database may have ended the transaction that held the mutex. */
    private static void release(String mutex, TxnStore.MutexAPI.LockHandle held) {
        try {
            held.releaseLocks();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "the mutex " + mutex + " was lost before the work under it ended", e);
        }
    }

    private <T extends @Nullable Object> T run(String what, Work<T> work, Effect effect) {
        return threads.run(what, () -> attempt(what, work), effect, new AtomicBoolean());
    }

    private <T extends @Nullable Object> T attempt(String what, Work<T> work) {
        boolean returned = false;
        try {
            TxnStore store = borrow();
            T result = alone(store, work);
            idle.addFirst(store);
            returned = true;
            return result;
        } catch (Exception e) {
            returned = true;
            throw TransactionErrors.of(what, e);
        } finally {
            if (!returned) {
                abandonTransactions();
            }
        }
    }

    /**
     * On Derby the library lets one thread of the process work at a time, by a lock that only some of its methods take,
     * and these after they have locked rows. Two threads would wait for each other until Derby gives up. Taking the
     * lock first keeps them apart. On other databases it does nothing.
     */
    private static <T extends @Nullable Object> T alone(TxnStore store, Work<T> work) throws Exception {
        DatabaseProduct product = store.getJdbcResourceHolder().getDatabaseProduct();
        product.lockInternal();
        try {
            return work.in(store);
        } finally {
            product.unlockInternal();
        }
    }

    /**
     * The library ends its transaction after a result and after an exception, but not after an error, such as a class
     * that is missing. Later work on the same thread would go on in that transaction, and never commit.
     */
    private synchronized void abandonTransactions() {
        if (pools != null) {
            TransactionSynchronizationManager.clear();
            abandon(pools.statements());
            abandon(pools.mutexes());
        }
    }

    private static void abandon(DataSource pool) {
        if (TransactionSynchronizationManager.unbindResourceIfPossible(pool) instanceof ConnectionHolder holder) {
            try (Connection connection = holder.getConnection()) {
                connection.rollback();
            } catch (SQLException e) {
                LOG.log(System.Logger.Level.WARNING, "a transaction of the metastore's database was not ended", e);
            }
        }
    }

    /** A store is used by one thread at a time. One whose work failed is not used again. */
    private TxnStore borrow() {
        Pools own = pools();
        TxnStore store = idle.pollFirst();
        if (store == null) {
            store = TxnUtils.getTxnStore(settings);
            MultiDataSourceJdbcResource connections = store.getJdbcResourceHolder();
            connections.registerDataSource(TxnStore.POOL_TX, own.statements());
            connections.registerDataSource(TxnStore.POOL_COMPACTOR, own.statements());
            connections.registerDataSource(TxnStore.POOL_MUTEX, own.mutexes());
        }
        return store;
    }

    private synchronized Pools pools() {
        if (closed) {
            throw new SkepException(StandardErrorCode.METASTORE_ERROR, "the metastore is closed");
        }
        if (pools == null) {
            HikariDataSource work = pool("skep-transactions", settings);
            Configuration ofMutexes = new Configuration(settings);
            LibrarySettings.limitIdleTransactions(ofMutexes, IDLE_MUTEX);
            pools = new Pools(work, statements(work), pool("skep-mutexes", ofMutexes));
        }
        return pools;
    }

    private DataSource statements(DataSource work) {
        if (LibrarySettings.isDerby(settings)) {
            return new ParameterizedStatements(work);
        }
        boolean isPostgres =
                MetastoreConf.getVar(settings, ConfVars.CONNECT_URL_KEY).startsWith("jdbc:postgresql:");
        return isPostgres ? new TypedNulls(work) : work;
    }

    private static HikariDataSource pool(String name, Configuration settings) {
        settings.set("hikaricp.poolName", name);
        try {
            DataSource pool = new HikariCPDataSourceProvider().create(settings, THREADS);
            return (HikariDataSource) pool;
        } catch (SQLException e) {
            throw new SkepException(
                    StandardErrorCode.METASTORE_ERROR,
                    "the metastore cannot connect for transactions: " + e.getMessage(),
                    e);
        }
    }

    Configuration settings() {
        return settings;
    }

    /** Waits for running work, but not for a database that does not respond. */
    @Override
    public void close() {
        threads.close();
        synchronized (this) {
            closed = true;
            idle.clear();
            if (pools != null) {
                pools.close();
            }
        }
    }
}
