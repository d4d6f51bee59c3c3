package io.skep.metastore.hive;

import io.skep.metastore.transaction.CompactionJob;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.metastore.transaction.RequestedCompaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hive.metastore.api.CompactionRequest;
import org.apache.hadoop.hive.metastore.api.CompactionType;
import org.apache.hadoop.hive.metastore.txn.TxnUtils;
import org.apache.hadoop.hive.metastore.txn.entities.CompactionInfo;
import org.apache.hadoop.hive.metastore.utils.StringableMap;
import org.jspecify.annotations.NullUnmarked;

/** Converts what the library's compactions take and return. */
@NullUnmarked
final class CompactionConversion {
    /** The library writes errors to a column of this length. */
    private static final int MAX_ERROR = 1000;

    private CompactionConversion() {}

    static CompactionRequest toThrift(RequestedCompaction request) {
        CompactionRequest thrift = new CompactionRequest(
                request.database(),
                request.table(),
                CompactionType.valueOf(request.kind().name()));
        request.partition().map(TxnUtils::normalizePartitionCase).ifPresent(thrift::setPartitionname);
        if (!request.properties().isEmpty()) {
            thrift.setProperties(new HashMap<>(request.properties()));
        }
        request.buckets().ifPresent(thrift::setNumberOfBuckets);
        request.order().ifPresent(thrift::setOrderByClause);
        request.pool().ifPresent(thrift::setPoolName);
        thrift.setInitiatorId(request.initiator());
        thrift.setInitiatorVersion(version());
        return thrift;
    }

    /** Returns the version of the library, which listings show. */
    static String version() {
        return Optional.ofNullable(CompactionInfo.class.getPackage().getImplementationVersion())
                .orElse("unknown");
    }

    static CompactionJob fromHive(CompactionInfo info) {
        return new CompactionJob(
                info.id,
                info.dbname,
                info.tableName,
                Optional.ofNullable(info.partName),
                kind(info.type),
                info.properties == null ? Map.of() : properties(info.properties),
                info.numberOfBuckets > 0 ? OptionalInt.of(info.numberOfBuckets) : OptionalInt.empty(),
                Optional.ofNullable(info.orderByClause).filter(order -> !order.isBlank()),
                Optional.ofNullable(info.runAs),
                info.highestWriteId,
                info.nextTxnId,
                info.minOpenWriteTxnId,
                info.tooManyAborts || info.hasOldAbort,
                info.retryRetention);
    }

    private static Map<String, String> properties(String text) {
        Map<String, String> properties = new HashMap<>();
        new StringableMap(text).forEach((name, value) -> properties.put(name, value == null ? "" : value));
        return properties;
    }

    private static Optional<CompactionKind> kind(CompactionType type) {
        return switch (type) {
            case null -> Optional.empty();
            case ABORT_TXN_CLEANUP -> Optional.empty();
            case MINOR -> Optional.of(CompactionKind.MINOR);
            case MAJOR -> Optional.of(CompactionKind.MAJOR);
            case REBALANCE -> Optional.of(CompactionKind.REBALANCE);
        };
    }

    static CompactionInfo toHive(CompactionJob job) {
        CompactionType type =
                job.kind().map(kind -> CompactionType.valueOf(kind.name())).orElse(CompactionType.ABORT_TXN_CLEANUP);
        CompactionInfo info =
                new CompactionInfo(job.database(), job.table(), job.partition().orElse(null), type);
        info.id = job.id();
        info.numberOfBuckets = job.buckets().orElse(0);
        info.orderByClause = job.order().orElse(null);
        info.runAs = job.user().orElse(null);
        info.highestWriteId = job.highestWriteId();
        info.nextTxnId = job.next();
        info.minOpenWriteTxnId = job.minOpenWriteTransaction();
        info.retryRetention = job.retryMillis();
        if (!job.properties().isEmpty()) {
            info.properties = new StringableMap(job.properties()).toString();
        }
        return info;
    }

    static String shortened(String reason) {
        return reason.length() <= MAX_ERROR ? reason : reason.substring(0, MAX_ERROR);
    }
}
