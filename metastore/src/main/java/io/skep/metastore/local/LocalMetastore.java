package io.skep.metastore.local;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.cache.CacheStats;
import io.skep.metastore.cache.CachedCatalog;
import io.skep.metastore.cache.CachedPrivileges;
import io.skep.metastore.cache.ChangePoller;
import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.connector.DataConnectorStore;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.database.DerbyDatabase;
import io.skep.metastore.database.SharedDatabase;
import io.skep.metastore.database.SilenceLimits;
import io.skep.metastore.hive.HiveCatalog;
import io.skep.metastore.hive.HiveTransactions;
import io.skep.metastore.privilege.DelegationTokenStore;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.schedule.ScheduledQueryStore;
import io.skep.metastore.system.SystemCatalog;
import io.skep.metastore.system.SystemRowStore;
import io.skep.metastore.transaction.TransactionConfig;
import io.skep.metastore.transaction.TransactionStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metastore of one server process: the catalog, its cache, and the resources that must be closed with them. */
public final class LocalMetastore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalMetastore.class);

    /** The cache may use one part in this number of the heap. */
    private static final long HEAP_SHARE = 16;

    private final @Nullable DerbyDatabase derby;
    private final HiveCatalog store;
    private final HiveTransactions transactions;
    private final CachedCatalog cached;
    private final Catalog catalog;
    private final PrivilegeStore privileges;
    private final @Nullable ChangePoller poller;
    private final Optional<LeaseStore> marks;
    private final TransactionConfig transactionConfig;

    private LocalMetastore(
            @Nullable DerbyDatabase derby,
            HiveCatalog store,
            HiveTransactions transactions,
            Optional<LeaseStore> marks,
            MetastoreConfig config) {
        this.derby = derby;
        this.store = store;
        this.transactions = transactions;
        this.marks = marks;
        this.transactionConfig = config.transactions();
        this.cached = new CachedCatalog(
                store,
                Runtime.getRuntime().maxMemory() / HEAP_SHARE,
                this::pollTo,
                marks.isEmpty() || config.allChangesNotified());
        this.catalog = new SystemCatalog(cached);
        this.privileges =
                new CachedPrivileges(store.privileges(), cached, marks.map(shared -> CachedPrivileges.OF_OTHERS));
        if (marks.isPresent() && !config.allChangesNotified()) {
            LOG.warn("Hive's metastores are not known to write the notification log:"
                    + " definitions and statistics are kept for a minute at most."
                    + " Where all of them have org.apache.hive.hcatalog.listener.DbNotificationListener"
                    + " among hive.metastore.transactional.event.listeners,"
                    + " say so in that setting of this server");
        }
        this.poller =
                marks.isPresent() ? ChangePoller.start(store.changes(), cached::apply, config.pollInterval()) : null;
    }

    /** @param data contains the embedded database, when the configuration specifies no other; stays open */
    public static LocalMetastore open(MetastoreConfig config, DataDirectory data) {
        Optional<String> url = config.connectionUrl().map(SilenceLimits::in);
        if (url.isPresent()) {
            SharedDatabase.prepare(url.get(), config.user(), config.password());
            boolean embedded = url.get().startsWith("jdbc:derby:");
            HiveCatalog store = new HiveCatalog(config, url.get(), !embedded);
            Optional<LeaseStore> marks = embedded
                    ? Optional.empty()
                    : Optional.of(LeaseStore.open(config, url.get(), data.id(), place(data)));
            return new LocalMetastore(null, store, new HiveTransactions(config, url.get()), marks, config);
        }
        DerbyDatabase derby = DerbyDatabase.open(data.resolve(DerbyDatabase.FOLDER));
        HiveCatalog store = new HiveCatalog(config, derby.url(), false);
        return new LocalMetastore(derby, store, new HiveTransactions(config, derby.url()), Optional.empty(), config);
    }

    private static String place(DataDirectory data) {
        String process = "process " + ProcessHandle.current().pid() + ", data folder " + data.path();
        try {
            return InetAddress.getLocalHost().getHostName() + ", " + process;
        } catch (UnknownHostException e) {
            return process;
        }
    }

    /** Returns the catalog with the system tables. */
    public Catalog catalog() {
        return catalog;
    }

    /** Returns what reads the rows of system tables. */
    public SystemRowStore systemRows() {
        return store.systemRows();
    }

    /** Returns the same catalog without the cache and system tables. Each read is a round trip. */
    public Catalog uncached() {
        return store;
    }

    /** Returns the transactions of transactional tables. */
    public TransactionStore transactions() {
        return transactions;
    }

    /** Returns when transactions end without their owners. */
    public TransactionConfig transactionConfig() {
        return transactionConfig;
    }

    /** Returns the roles and grants. */
    public PrivilegeStore privileges() {
        return privileges;
    }

    public DataConnectorStore dataConnectors() {
        return store.dataConnectors();
    }

    /** Returns the scheduled queries and their executions. */
    public ScheduledQueryStore scheduledQueries() {
        return store.scheduledQueries();
    }

    /**
     * Returns the delegation tokens that all servers on the database accept.
     *
     * @throws SkepException INVALID_CONFIGURATION when the database is Derby, whose table of keys Hive's library cannot
     *     write
     */
    public DelegationTokenStore delegationTokens() {
        if (marks.isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "hive.cluster.delegation.token.store.class: DBTokenStore needs a metastore database that"
                                    + " several servers can use, and this one is Derby")
                    .withHint("set javax.jdo.option.ConnectionURL, or leave the tokens in memory");
        }
        return store.delegationTokens();
    }

    public CacheStats cacheFigures() {
        return cached.stats();
    }

    /** Returns the running commits, when other servers may use the database. */
    public Optional<LeaseStore> commitMarks() {
        return marks;
    }

    private void pollTo(long position) {
        if (poller != null) {
            poller.pollTo(position);
        }
    }

    /** Applies other servers' changes immediately instead of at the next interval. */
    public void poll() {
        if (poller != null) {
            poller.poll();
        }
    }

    @Override
    public void close() {
        if (poller != null) {
            poller.close();
        }
        marks.ifPresent(LeaseStore::close);
        transactions.close();
        store.close();
        if (derby != null) {
            derby.close();
        }
    }
}
