package io.skep.storage.acid;

import java.util.Locale;

/**
 * What one statement of a transaction writes to a table or partition.
 *
 * @param writeId the transaction's write id of the table
 * @param statement the number of the statement in its transaction, from 0
 */
public record AcidWrite(Kind kind, long writeId, int statement) {
    /** What the rows of files are. */
    public enum Kind {
        /** Rows that are added to the table. */
        INSERT,
        /** Rows that replace all earlier ones. */
        OVERWRITE,
        /** Identifiers of rows that are deleted. */
        DELETE
    }

    public AcidWrite {
        if (writeId < 1 || statement < 0 || statement > BucketProperty.MAX_STATEMENT) {
            throw new IllegalArgumentException("statement " + statement + " of write id " + writeId);
        }
    }

    /**
     * Returns the deletes of a statement that also inserts. As in Hive, they are the first statement of the transaction
     * and the inserts the second one.
     */
    public static AcidWrite ofDeletes(long writeId) {
        return new AcidWrite(Kind.DELETE, writeId, 0);
    }

    /** Returns the folder of the files, below that of the table or partition. */
    public AcidFolder folder() {
        return switch (kind) {
            case INSERT -> AcidFolder.ofDelta(AcidFolder.Kind.DELTA, writeId, statement);
            case OVERWRITE -> AcidFolder.ofBase(writeId);
            case DELETE -> AcidFolder.ofDelta(AcidFolder.Kind.DELETE_DELTA, writeId, statement);
        };
    }

    /**
     * Returns the name of a file with row identifiers.
     *
     * @param bucket the bucket, or the number of the writer in a table without buckets
     * @param attempt the number of the task's attempt
     */
    public static String fileName(int bucket, int attempt) {
        return String.format(Locale.ROOT, "bucket_%05d_%d", bucket, attempt);
    }
}
