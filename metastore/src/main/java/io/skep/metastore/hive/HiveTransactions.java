package io.skep.metastore.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionStore;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.metastore.transaction.ListedLock;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockResult;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hadoop.hive.metastore.api.AbortTxnRequest;
import org.apache.hadoop.hive.metastore.api.AbortTxnsRequest;
import org.apache.hadoop.hive.metastore.api.AddDynamicPartitions;
import org.apache.hadoop.hive.metastore.api.AllocateTableWriteIdsRequest;
import org.apache.hadoop.hive.metastore.api.CheckLockRequest;
import org.apache.hadoop.hive.metastore.api.CommitTxnRequest;
import org.apache.hadoop.hive.metastore.api.HeartbeatRequest;
import org.apache.hadoop.hive.metastore.api.LockRequest;
import org.apache.hadoop.hive.metastore.api.OpenTxnRequest;
import org.apache.hadoop.hive.metastore.api.TableValidWriteIds;
import org.apache.hadoop.hive.metastore.api.TxnAbortedException;
import org.apache.hadoop.hive.metastore.api.TxnToWriteId;
import org.apache.hadoop.hive.metastore.api.TxnType;
import org.apache.hadoop.hive.metastore.api.UnlockRequest;
import org.apache.hadoop.hive.metastore.txn.TxnCommonUtils;
import org.apache.hadoop.hive.metastore.txn.TxnErrorMsg;
import org.apache.hadoop.hive.metastore.txn.TxnUtils;
import org.apache.hadoop.hive.metastore.txn.jdbc.functions.GetValidWriteIdsForTableFunction;
import org.jspecify.annotations.NullUnmarked;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * The transactions in the metastore's database, by Hive's library. The first use starts the search for transactions
 * that have timed out ({@link TransactionHousekeeping}): before it, none of them is in the way of anybody here.
 */
@NullUnmarked
public final class HiveTransactions implements TransactionStore, AutoCloseable {
    /** A transaction has a row for each partition that it has changed. */
    private static final String COMMITTED_CHANGES =
            "SELECT \"CTC_WRITEID\", MAX(\"CTC_UPDATE_DELETE\") FROM \"COMPLETED_TXN_COMPONENTS\""
                    + " WHERE \"CTC_DATABASE\" = :db AND \"CTC_TABLE\" = :table AND \"CTC_WRITEID\" > :after"
                    + " GROUP BY \"CTC_WRITEID\" ORDER BY \"CTC_WRITEID\"";

    private final TransactionLibrary library;
    private final TransactionHousekeeping housekeeping;
    private final HiveCompactions compactions;

    /** @param connectionUrl URL of a database that has the schema */
    public HiveTransactions(MetastoreConfig config, String connectionUrl) {
        this.library = new TransactionLibrary(config, connectionUrl);
        this.housekeeping = new TransactionHousekeeping(library, config.transactions());
        this.compactions = new HiveCompactions(library, housekeeping::start);
    }

    private static String name(long transaction) {
        return "transaction txnid:" + transaction;
    }

    @Override
    public long open(TransactionOwner owner, TransactionKind kind) {
        OpenTxnRequest request = new OpenTxnRequest(1, owner.user(), owner.host());
        request.setAgentInfo(owner.agent());
        request.setTxn_type(TxnType.valueOf(kind.name()));
        long transaction = library.write(
                "open a transaction",
                store -> store.openTxns(request).getTxn_ids().getFirst());
        housekeeping.start();
        return transaction;
    }

    @Override
    public void heartbeat(long transaction) {
        HeartbeatRequest request = new HeartbeatRequest();
        request.setTxnid(transaction);
        library.write("keep alive " + name(transaction), store -> {
            store.heartbeat(request);
            return true;
        });
    }

    @Override
    public void commit(long transaction, boolean exclusiveWrites) {
        CommitTxnRequest request = new CommitTxnRequest(transaction);
        request.setExclWriteEnabled(exclusiveWrites);
        library.write("commit " + name(transaction), store -> {
            store.commitTxn(request);
            return true;
        });
    }

    @Override
    public void abort(long transaction) {
        AbortTxnRequest request = new AbortTxnRequest(transaction);
        request.setErrorCode(TxnErrorMsg.ABORT_ROLLBACK.getErrorCode());
        library.end("abort " + name(transaction), store -> {
            try {
                store.abortTxn(request);
            } catch (TxnAbortedException e) {
                // It stays so.
                return false;
            }
            return true;
        });
    }

    @Override
    public void abortAll(Collection<Long> transactions) {
        if (transactions.isEmpty()) {
            return;
        }
        AbortTxnsRequest request = new AbortTxnsRequest(new ArrayList<>(transactions));
        request.setErrorCode(TxnErrorMsg.ABORT_QUERY.getErrorCode());
        library.end("abort transactions " + transactions, store -> {
            store.abortTxns(request);
            return true;
        });
    }

    @Override
    public ValidTxnList validTransactions(long transaction) {
        return library.read(
                "read the snapshot of " + name(transaction),
                store -> TxnCommonUtils.createValidReadTxnList(store.getOpenTxns(), transaction));
    }

    @Override
    public Map<String, ValidWriteIdList> validWriteIds(ValidTxnList snapshot, Collection<String> tables) {
        if (tables.isEmpty()) {
            return Map.of();
        }
        return library.query("read the write ids of " + String.join(", ", tables), connections -> {
            Map<String, ValidWriteIdList> lists = new HashMap<>();
            for (String table : tables) {
                // The library's own request has the snapshot as text, which it parses by a constructor that the
                // snapshot's class has no more.
                TableValidWriteIds ids = new GetValidWriteIdsForTableFunction(snapshot, table).execute(connections);
                lists.put(table, TxnCommonUtils.createValidReaderWriteIdList(ids));
            }
            return lists;
        });
    }

    @Override
    public long allocateWriteId(long transaction, String database, String table) {
        AllocateTableWriteIdsRequest request = new AllocateTableWriteIdsRequest(database, table);
        request.setTxnIds(new ArrayList<>(List.of(transaction)));
        String what = "allocate a write id of " + database + "." + table + " for " + name(transaction);
        try {
            return library.write(what, store -> {
                List<TxnToWriteId> ids = store.allocateTableWriteIds(request).getTxnToWriteIds();
                return ids.getFirst().getWriteId();
            });
        } catch (SkepException e) {
            if (e.code() == StandardErrorCode.METASTORE_ERROR) {
                // The library does not say that the transaction has ended. A heartbeat does.
                heartbeat(transaction);
            }
            throw e;
        }
    }

    @Override
    public OptionalLong latestConflict(long transaction) {
        long latest = library.read(
                "look for conflicts of " + name(transaction), store -> store.getLatestTxnIdInConflict(transaction));
        return latest > transaction ? OptionalLong.of(latest) : OptionalLong.empty();
    }

    @Override
    public LockResult lock(long transaction, TransactionOwner owner, List<LockComponent> components) {
        List<org.apache.hadoop.hive.metastore.api.LockComponent> parts = new ArrayList<>();
        components.forEach(component -> parts.add(TransactionConversion.toThrift(component)));
        LockRequest request = new LockRequest(parts, owner.user(), owner.host());
        request.setTxnid(transaction);
        request.setAgentInfo(owner.agent());
        return library.write(
                "lock tables for " + name(transaction), store -> TransactionConversion.fromThrift(store.lock(request)));
    }

    @Override
    public LockResult checkLock(long transaction, long lock) {
        CheckLockRequest request = new CheckLockRequest(lock);
        request.setTxnid(transaction);
        return library.write(
                "check lock lockid:" + lock + " of " + name(transaction),
                store -> TransactionConversion.fromThrift(store.checkLock(request)));
    }

    @Override
    public void unlock(long lock) {
        library.end("release lock lockid:" + lock, store -> {
            store.unlock(new UnlockRequest(lock));
            return true;
        });
    }

    @Override
    public void addPartitions(
            long transaction,
            long writeId,
            String database,
            String table,
            Collection<String> partitions,
            DataOperation operation) {
        if (partitions.isEmpty()) {
            return;
        }
        List<String> names = new ArrayList<>();
        partitions.forEach(partition -> names.add(TxnUtils.normalizePartitionCase(partition)));
        AddDynamicPartitions request = new AddDynamicPartitions(transaction, writeId, database, table, names);
        request.setOperationType(TransactionConversion.toThrift(operation));
        library.write("record written partitions of " + database + "." + table, store -> {
            store.addDynamicPartitions(request);
            return true;
        });
    }

    @Override
    public Map<Long, Boolean> committedChanges(String database, String table, long after, int limit) {
        MapSqlParameterSource values = new MapSqlParameterSource()
                .addValue("db", database)
                .addValue("table", table)
                .addValue("after", after);
        return library.query("read the changes of " + database + "." + table, connections -> {
            JdbcTemplate limited = new JdbcTemplate(
                    connections.getJdbcTemplate().getJdbcTemplate().getDataSource());
            limited.setMaxRows(limit);
            Map<Long, Boolean> changes = new HashMap<>();
            new NamedParameterJdbcTemplate(limited).query(COMMITTED_CHANGES, values, row -> {
                changes.put(row.getLong(1), "Y".equals(row.getString(2)));
            });
            return changes;
        });
    }

    @Override
    public List<ListedTransaction> transactions() {
        List<ListedTransaction> all = library.read("list the transactions", store -> {
            List<ListedTransaction> found = new ArrayList<>();
            store.getOpenTxnsInfo().getOpen_txns().forEach(one -> found.add(TransactionConversion.fromThrift(one)));
            return found;
        });
        housekeeping.start();
        return List.copyOf(all);
    }

    @Override
    public List<ListedLock> locks(LockFilter filter) {
        List<ListedLock> all = library.read("list the locks", store -> {
            List<ListedLock> found = new ArrayList<>();
            store.showLocks(TransactionConversion.toThrift(filter))
                    .getLocks()
                    .forEach(lock -> found.add(TransactionConversion.fromThrift(lock)));
            return found;
        });
        housekeeping.start();
        return List.copyOf(all);
    }

    @Override
    public List<ListedCompaction> compactions(CompactionFilter filter) {
        return library.read("list the compactions", store -> {
            List<ListedCompaction> found = new ArrayList<>();
            store.showCompact(TransactionConversion.toThrift(filter))
                    .getCompacts()
                    .forEach(one -> found.add(TransactionConversion.fromThrift(one)));
            return List.copyOf(found);
        });
    }

    @Override
    public CompactionStore compactionQueue() {
        return compactions;
    }

    /** Whether anything has used transactions, so that connections and threads may exist. */
    boolean isUsed() {
        return library.isUsed();
    }

    /** Open transactions stay open: other servers may still carry out what belongs to them, or abort them in time. */
    @Override
    public void close() {
        housekeeping.close();
        library.close();
    }
}
