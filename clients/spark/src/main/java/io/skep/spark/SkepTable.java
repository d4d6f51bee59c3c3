package io.skep.spark;

import java.time.ZoneId;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table, view or query of a server, as Spark reads it.
 *
 * @param declared its columns, with Hive's types
 * @param inCatalog whether it comes from a catalog, so that options of a read are of that read alone
 */
record SkepTable(SkepOptions options, Source source, StructType declared, boolean inCatalog) implements SupportsRead {
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
        return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap read) {
        ZoneId zone = ZoneId.of(SparkSession.active().conf().get("spark.sql.session.timeZone"), ZoneId.SHORT_IDS);
        return new SkepScanBuilder(options.with(read, !inCatalog), source, declared, zone);
    }
}
