package io.skep.storage.write;

import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of staged files of bucketed tables. A name contains the bucket: {@code bucket_000003-}, then the writer's own
 * name.
 */
public final class BucketFileName {
    private static final Pattern NAME = Pattern.compile("bucket_(\\d{6,9})-[^/]*");

    private BucketFileName() {}

    public static String of(int bucket, String writer) {
        return String.format(Locale.ROOT, "bucket_%06d-%s", bucket, writer);
    }

    /** @return empty for a file of a table without buckets */
    public static OptionalInt bucket(String path) {
        Matcher matcher = NAME.matcher(path.substring(path.lastIndexOf('/') + 1));
        return matcher.matches() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }
}
