package io.skep.ql.physical;

import io.skep.engine.plan.Expression;
import io.skep.metastore.Table;
import io.skep.ql.rel.TableSample;
import java.util.List;
import java.util.Optional;

/**
 * The information for resolving a scan before it can run: its partitions, and hence its files.
 *
 * @param scan the scan's id in the stage graph
 * @param partitionPredicates conditions over the partition columns, by their position among the partition keys
 * @param skewCondition what the row conditions demand of the skewed columns of a table with list buckets, by their
 *     position among these; empty if that is nothing
 * @param sample what is read of these partitions; empty for all of them
 * @param minWriteId the lowest write id of the rows that the scan returns, if its table has row identifiers; 0 for all
 */
public record ScanAssignment(
        int scan,
        Table table,
        List<Expression> partitionPredicates,
        Optional<Expression> skewCondition,
        Optional<TableSample> sample,
        long minWriteId) {
    public ScanAssignment {
        partitionPredicates = List.copyOf(partitionPredicates);
    }

    /** Creates an assignment that reads the partitions as a whole. */
    public ScanAssignment(int scan, Table table, List<Expression> partitionPredicates) {
        this(scan, table, partitionPredicates, Optional.empty(), Optional.empty(), 0);
    }
}
