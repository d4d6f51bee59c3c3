package io.skep.storage.acid;

/**
 * The bucket property of a row's identifier, in the form of Hive's BucketCodec V1: three bits of version, a free bit,
 * twelve bits of the bucket, four free bits, twelve bits of the statement.
 */
public final class BucketProperty {
    public static final int MAX_BUCKET = (1 << 12) - 1;
    public static final int MAX_STATEMENT = (1 << 12) - 1;

    private static final int VERSION_SHIFT = 29;
    /** The number of bits below the bucket. */
    public static final int BUCKET_SHIFT = 16;

    private BucketProperty() {}

    /**
     * @param bucket the bucket, or the number of the writer in a table without buckets
     * @param statement the number of the statement in its transaction
     */
    public static int encode(int bucket, int statement) {
        if (bucket < 0 || bucket > MAX_BUCKET || statement < 0 || statement > MAX_STATEMENT) {
            throw new IllegalArgumentException("bucket " + bucket + " of statement " + statement);
        }
        return 1 << VERSION_SHIFT | bucket << BUCKET_SHIFT | statement;
    }

    /** Returns the bucket of a property. Those of the first version are buckets themselves. */
    public static int bucket(int property) {
        return property >>> VERSION_SHIFT == 0 ? property : property >>> BUCKET_SHIFT & MAX_BUCKET;
    }
}
