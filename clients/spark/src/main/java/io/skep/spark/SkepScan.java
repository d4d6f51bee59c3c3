package io.skep.spark;

import io.skep.reader.QuerySplits;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The rows of one query: the server signs tickets for parts of them, and each is a partition. */
final class SkepScan implements SupportsReportStatistics, Batch {
    /** Parts for each of Spark's cores, so that those that are ready early have more to do. */
    private static final int PARTS_OF_CORE = 2;

    private static final int ROW_OVERHEAD = 8;

    private final SkepOptions options;
    private final String query;
    private final StructType columns;
    private final ZoneId zone;
    private @Nullable Statistics statistics;

    /**
     * @param query the text that the server gets
     * @param columns of its rows
     * @param zone of Spark's session
     */
    SkepScan(SkepOptions options, String query, StructType columns, ZoneId zone) {
        this.options = options;
        this.query = query;
        this.columns = columns;
        this.zone = zone;
    }

    @Override
    public StructType readSchema() {
        return columns;
    }

    /** What plans show. */
    @Override
    public String description() {
        return "Skep " + query;
    }

    /** Known without a ticket, so that plans can be shown without one. */
    @Override
    public ColumnarSupportMode columnarSupportMode() {
        return ColumnarSupportMode.SUPPORTED;
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
        SparkContext spark = SparkSession.active().sparkContext();
        int count = options.partitions().orElseGet(() -> PARTS_OF_CORE * spark.defaultParallelism());
        try (ServerConnection server = ServerConnection.open(options)) {
            QuerySplits splits = server.splits(query, count);
            check(ColumnTypes.of(splits.schema()));
            return splits.splits().stream()
                    .map(split -> SkepPartition.of(split, !spark.isLocal()))
                    .toArray(InputPartition[]::new);
        }
    }

    /** A table may have changed since Spark has asked for its columns. */
    private void check(StructType given) {
        boolean same = columns.isEmpty() || given.length() == columns.length();
        for (int i = 0; same && i < columns.length(); i++) {
            same = ColumnTypes.sameForm(given.fields()[i].dataType(), columns.fields()[i].dataType());
        }
        if (!same) {
            throw new IllegalStateException("Skep: the columns of the table have changed, from "
                    + columns.catalogString() + " to " + given.catalogString() + "; make the DataFrame again");
        }
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new SkepReaderFactory(
                options.certificates().orElse(null),
                ColumnTypes.hasWallClocks(columns) ? ZoneOffset.UTC.getId() : zone.getId(),
                columns.isEmpty());
    }

    @Override
    public synchronized Statistics estimateStatistics() {
        Statistics known = statistics;
        if (known == null) {
            known = estimate();
            statistics = known;
        }
        return known;
    }

    private Statistics estimate() {
        OptionalLong rows;
        try (ServerConnection server = ServerConnection.open(options)) {
            rows = server.estimatedRows(query);
        }
        long width = ROW_OVERHEAD
                + Arrays.stream(columns.fields())
                        .map(StructField::dataType)
                        .mapToLong(type -> type.defaultSize())
                        .sum();
        return new Estimate(rows, width);
    }

    /** @param width of a row in bytes, as Spark guesses it from types */
    private record Estimate(OptionalLong numRows, long width) implements Statistics {
        @Override
        public OptionalLong sizeInBytes() {
            return numRows.isPresent()
                    ? OptionalLong.of((long) Math.min(Long.MAX_VALUE, (double) numRows.getAsLong() * width))
                    : OptionalLong.empty();
        }
    }

    /** Equal scans are read once. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SkepScan scan
                && scan.options.equals(options)
                && scan.query.equals(query)
                && scan.columns.equals(columns)
                && scan.zone.equals(zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(options, query);
    }
}
