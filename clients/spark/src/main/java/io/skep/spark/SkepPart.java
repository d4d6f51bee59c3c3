package io.skep.spark;

import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What a task has written.
 *
 * @param number of its part in the server; 0 when the task has no rows
 */
record SkepPart(long number) implements WriterCommitMessage {}
