package io.skep.llap.server.exchange;

/**
 * How an output is kept.
 *
 * @param partitions number of tasks of the consumer
 * @param readers number of readers of each partition
 * @param broadcast whether every partition has the same rows
 * @param retained whether it is kept until the query ends, however often it is read, because consumers may be run again
 * @param maxBufferedBytes unread bytes above which the producer pauses; for outputs whose reader is certain to exist
 */
public record OutputConfig(int partitions, int readers, boolean broadcast, boolean retained, long maxBufferedBytes) {
    public OutputConfig {
        if (partitions < 1 || readers < 1) {
            throw new IllegalArgumentException(
                    "an output has a partition and a reader: " + partitions + ", " + readers);
        }
    }
}
