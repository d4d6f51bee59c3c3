package io.skep.spark;

import java.time.ZoneId;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table, view or query of a server, as Spark reads it, and writes it unless it is a query.
 *
 * @param declared its columns, with Hive's types
 * @param inCatalog whether it comes from a catalog, so that options of a read are of that read alone
 */
record SkepTable(SkepOptions options, Source source, StructType declared, boolean inCatalog)
        implements SupportsRead, SupportsWrite {
    @Override
    public String name() {
        return source.label();
    }

    /** What Spark makes columns of. */
    @Override
    @SuppressWarnings("deprecation")
    public StructType schema() {
        return declared;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return source instanceof Source.OfTable
                ? Set.of(
                        TableCapability.BATCH_READ,
                        TableCapability.BATCH_WRITE,
                        TableCapability.TRUNCATE,
                        TableCapability.OVERWRITE_DYNAMIC)
                : Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public Transform[] partitioning() {
        return ColumnTypes.partitions(declared);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo written) {
        if (!(source instanceof Source.OfTable table)) {
            throw new UnsupportedOperationException("Skep: a query cannot be written");
        }
        return new SkepWriteBuilder(
                options.with(written.options(), !inCatalog), table.name(), declared, written, zone());
    }

    private static ZoneId zone() {
        return ZoneId.of(SparkSession.active().conf().get("spark.sql.session.timeZone"), ZoneId.SHORT_IDS);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap read) {
        return new SkepScanBuilder(options.with(read, !inCatalog), source, declared, zone());
    }
}
