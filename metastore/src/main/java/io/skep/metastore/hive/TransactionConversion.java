package io.skep.metastore.hive;

import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.metastore.transaction.ListedLock;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.LockResult;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hive.metastore.api.CompactionType;
import org.apache.hadoop.hive.metastore.api.DataOperationType;
import org.apache.hadoop.hive.metastore.api.LockLevel;
import org.apache.hadoop.hive.metastore.api.LockResponse;
import org.apache.hadoop.hive.metastore.api.LockState;
import org.apache.hadoop.hive.metastore.api.LockType;
import org.apache.hadoop.hive.metastore.api.ShowCompactRequest;
import org.apache.hadoop.hive.metastore.api.ShowCompactResponseElement;
import org.apache.hadoop.hive.metastore.api.ShowLocksRequest;
import org.apache.hadoop.hive.metastore.api.ShowLocksResponseElement;
import org.apache.hadoop.hive.metastore.api.TxnInfo;
import org.apache.hadoop.hive.metastore.api.TxnState;
import org.apache.hadoop.hive.metastore.txn.TxnUtils;
import org.jspecify.annotations.NullUnmarked;

/** Converts what the library's transactions take and return. */
@NullUnmarked
final class TransactionConversion {
    private TransactionConversion() {}

    static org.apache.hadoop.hive.metastore.api.LockComponent toThrift(LockComponent component) {
        LockLevel level = component.partition().isPresent()
                ? LockLevel.PARTITION
                : component.table().isPresent() ? LockLevel.TABLE : LockLevel.DB;
        var lock = new org.apache.hadoop.hive.metastore.api.LockComponent(
                LockType.valueOf(component.kind().name()), level, component.database());
        component.table().ifPresent(lock::setTablename);
        // The library keeps names of partitions with the keys in lower case.
        component.partition().map(TxnUtils::normalizePartitionCase).ifPresent(lock::setPartitionname);
        lock.setOperationType(toThrift(component.operation()));
        lock.setIsTransactional(component.isTransactional());
        lock.setIsDynamicPartitionWrite(component.writesDynamicPartitions());
        return lock;
    }

    static DataOperationType toThrift(DataOperation operation) {
        return DataOperationType.valueOf(operation.name());
    }

    static LockResult fromThrift(LockResponse response) {
        return new LockResult(
                response.getLockid(),
                response.getState() == LockState.ACQUIRED,
                Optional.ofNullable(response.getErrorMessage()));
    }

    static ListedTransaction fromThrift(TxnInfo transaction) {
        return new ListedTransaction(
                transaction.getId(),
                transaction.getState() == TxnState.ABORTED,
                transaction.getStartedTime(),
                transaction.getLastHeartbeatTime(),
                transaction.getUser(),
                transaction.getHostname());
    }

    static ShowLocksRequest toThrift(LockFilter filter) {
        ShowLocksRequest request = new ShowLocksRequest();
        filter.database().ifPresent(request::setDbname);
        filter.table().ifPresent(request::setTablename);
        filter.partition().map(TxnUtils::normalizePartitionCase).ifPresent(request::setPartname);
        filter.transaction().ifPresent(request::setTxnid);
        return request;
    }

    static ListedLock fromThrift(ShowLocksResponseElement lock) {
        return new ListedLock(
                lock.getLockid(),
                lock.getLockIdInternal(),
                lock.getDbname(),
                Optional.ofNullable(lock.getTablename()),
                Optional.ofNullable(lock.getPartname()),
                lock.getState() == LockState.ACQUIRED,
                lock.isSetBlockedByExtId() ? OptionalLong.of(lock.getBlockedByExtId()) : OptionalLong.empty(),
                lock.isSetBlockedByIntId() ? OptionalLong.of(lock.getBlockedByIntId()) : OptionalLong.empty(),
                LockKind.valueOf(lock.getType().name()),
                lock.getTxnid(),
                lock.getLastheartbeat(),
                lock.getAcquiredat(),
                lock.getUser(),
                lock.getHostname(),
                Optional.ofNullable(lock.getAgentInfo()));
    }

    static ShowCompactRequest toThrift(CompactionFilter filter) {
        ShowCompactRequest request = new ShowCompactRequest();
        filter.id().ifPresent(request::setId);
        filter.database().ifPresent(request::setDbName);
        filter.table().ifPresent(request::setTbName);
        filter.partition().ifPresent(request::setPartName);
        filter.pool().ifPresent(request::setPoolName);
        filter.kind()
                .map(kind -> CompactionType.valueOf(kind.toUpperCase(Locale.ROOT)))
                .ifPresent(request::setType);
        filter.state().ifPresent(request::setState);
        filter.limit().ifPresent(request::setLimit);
        return request;
    }

    static ListedCompaction fromThrift(ShowCompactResponseElement compaction) {
        return new ListedCompaction(
                compaction.getId(),
                compaction.getDbname(),
                compaction.getTablename(),
                Optional.ofNullable(compaction.getPartitionname()),
                compaction.getType().name(),
                compaction.getState(),
                Optional.ofNullable(compaction.getWorkerid()),
                Optional.ofNullable(compaction.getWorkerVersion()),
                positive(compaction.getEnqueueTime()),
                positive(compaction.getStart()),
                positive(compaction.getEndTime()),
                positive(compaction.getCommitTime()),
                positive(compaction.getCleanerStart()),
                positive(compaction.getHightestWriteId()),
                Optional.ofNullable(compaction.getHadoopJobId()),
                Optional.ofNullable(compaction.getErrorMessage()),
                Optional.ofNullable(compaction.getInitiatorId()),
                Optional.ofNullable(compaction.getInitiatorVersion()),
                Optional.ofNullable(compaction.getPoolName()),
                positive(compaction.getTxnId()),
                positive(compaction.getNextTxnId()));
    }

    /** The library has 0 or -1 for what is not set. */
    private static OptionalLong positive(long value) {
        return value > 0 ? OptionalLong.of(value) : OptionalLong.empty();
    }
}
