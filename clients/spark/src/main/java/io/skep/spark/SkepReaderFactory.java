package io.skep.spark;

import io.skep.reader.ExternalSplit;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * What Spark's tasks need to read partitions.
 *
 * @param certificates file with the authorities that certify daemons and servers
 * @param zone the name of the session's zone
 * @param empty whether only the number of rows counts
 */
record SkepReaderFactory(@Nullable String certificates, String zone, boolean empty) implements PartitionReaderFactory {
    @Override
    public boolean supportColumnarReads(InputPartition partition) {
        return true;
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
        return new SkepPartitionReader(
                ExternalSplit.decode(((SkepPartition) partition).split()),
                Optional.ofNullable(certificates).map(Path::of),
                new WallClock(ZoneId.of(zone)),
                empty);
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        throw new UnsupportedOperationException("Skep: rows come in batches of columns");
    }
}
