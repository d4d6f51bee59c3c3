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
    /**
     * @param placed whether Spark may wait for cores on these hosts. In local mode it would wait for ever where other
     *     partitions of the same stage are at home
     */
    static SkepPartition of(ExternalSplit split, boolean placed) {
        return new SkepPartition(
                split.encode(),
                split.locations().stream()
                        .filter(location -> placed)
                        .map(URI::getHost)
                        .distinct()
                        .toArray(String[]::new));
    }

    /** Without the ticket: its holder can read the rows. */
    @Override
    public String toString() {
        return "SkepPartition[" + String.join(", ", preferredLocations) + "]";
    }
}
