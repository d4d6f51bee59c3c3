package io.skep.llap.server.exchange;

/**
 * How an output is to be kept.
 *
 * @param partitions tasks of the consumer
 * @param readers how many read each partition
 * @param broadcast every partition has the same rows
 * @param retained kept until the query ends, however often it is read, because consumers may be run again
 * @param maxBufferedBytes the producer pauses above so many unread bytes; for outputs whose reader is surely there
 */
public record OutputConfig(int partitions, int readers, boolean broadcast, boolean retained, long maxBufferedBytes) {
    public OutputConfig {
        if (partitions < 1 || readers < 1) {
            throw new IllegalArgumentException(
                    "an output has a partition and a reader: " + partitions + ", " + readers);
        }
    }
}
