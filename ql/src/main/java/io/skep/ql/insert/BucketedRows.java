package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.SortKey;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.physical.WriteTarget;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;

/**
 * Prepares rows for a table that is CLUSTERED BY. Hive prunes files by their bucket and joins sorted buckets, so it
 * does not find rows in the wrong file. Each row gets an additional column with the number of its bucket.
 */
final class BucketedRows {
    /** No column of a Hive table has this name, since it is not legal there. */
    private static final String BUCKET = "$bucket";

    private BucketedRows() {}

    private static boolean isBucketed(Destination destination) {
        StorageDescriptor storage = destination.table().storage();
        return !destination.isDirectory()
                && storage.buckets() > 0
                && !storage.bucketColumns().isEmpty();
    }

    /** Returns how the writer must group and sort the rows; empty for tables without buckets. */
    static Optional<WriteTarget.Buckets> of(Destination destination) {
        if (!isBucketed(destination)) {
            return Optional.empty();
        }
        Table table = destination.table();
        refuseBinary(destination);
        List<String> names =
                table.columns().stream().map(column -> column.name()).toList();
        List<SortKey> order = new ArrayList<>();
        for (StorageDescriptor.SortColumn column : table.storage().sortColumns()) {
            int at = names.indexOf(column.name());
            if (at < 0) {
                throw new SkepException(
                                StandardErrorCode.SEMANTIC_ERROR,
                                "sort column '" + column.name() + "' is no column of " + table.qualifiedName())
                        .at(destination.syntax().position());
            }
            // Hive's order within a bucket: NULLs come first in ascending order and last in descending order.
            order.add(new SortKey(at, column.ascending(), column.ascending()));
        }
        return Optional.of(new WriteTarget.Buckets(order));
    }

    /**
     * Refuses binary bucket columns. Hive's second hash function also hashes whatever follows a binary value in memory.
     */
    private static void refuseBinary(Destination destination) {
        Table table = destination.table();
        for (FieldSchema column : table.columns()) {
            boolean murmur = "2".equals(table.properties().get("bucketing_version"));
            if (murmur
                    && table.storage().bucketColumns().contains(column.name())
                    && column.type().displayName().contains("binary")) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "buckets by column '" + column.name() + "' of type "
                                        + column.type().displayName()
                                        + " cannot be written: Hive has no stable hash of it")
                        .withHint("create the table with 'bucketing_version'='1'")
                        .at(destination.syntax().position());
            }
        }
    }

    /** @param rows the columns that the destination expects, converted to its types */
    static RelNode numbered(RelNode rows, Destination destination, StatementContext context) {
        if (!isBucketed(destination)) {
            return rows;
        }
        RexNode bucket = new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory())
                .analyzeBucket(destination.syntax(), destination.table(), rows);
        HiveRexBuilder rex = (HiveRexBuilder) rows.getCluster().getRexBuilder();
        List<RexNode> columns = new ArrayList<>(rex.identityProjects(rows.getRowType()));
        columns.add(bucket);
        List<String> names = new ArrayList<>(rows.getRowType().getFieldNames());
        names.add(BUCKET);
        return LogicalProject.create(rows, List.of(), columns, names, Set.of());
    }

    /** @throws SkepException if the partition's buckets differ from the table's, so that no file is right for both */
    static Partition requireSame(Table table, Partition partition) {
        StorageDescriptor own = partition.storage();
        StorageDescriptor wanted = table.storage();
        boolean neither = own.buckets() <= 0 && wanted.buckets() <= 0;
        if (!neither
                && (own.buckets() != wanted.buckets() || !own.bucketColumns().equals(wanted.bucketColumns()))) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "partition " + PartitionName.of(table, partition.values()) + " of "
                                    + table.qualifiedName() + " has other buckets than the table: " + text(own)
                                    + " instead of " + text(wanted))
                    .withHint("drop the partition, or change its buckets with ALTER TABLE");
        }
        return partition;
    }

    private static String text(StorageDescriptor storage) {
        return storage.buckets() <= 0 ? "none" : storage.buckets() + " by " + storage.bucketColumns();
    }
}
