package io.skep.spark;

import io.skep.reader.ExternalSplit;
import java.net.URI;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A part of a query's rows.
 *
 * @param split with the ticket, as bytes
 * @param preferredLocations the hosts that have its files in their caches, the best one first
 */
record SkepPartition(byte[] split, String[] preferredLocations) implements InputPartition {
    static SkepPartition of(ExternalSplit split) {
        return new SkepPartition(
                split.encode(),
                split.locations().stream().map(URI::getHost).distinct().toArray(String[]::new));
    }

    /** Without the ticket, which whoever has it could read. */
    @Override
    public String toString() {
        return "SkepPartition[" + String.join(", ", preferredLocations) + "]";
    }
}
