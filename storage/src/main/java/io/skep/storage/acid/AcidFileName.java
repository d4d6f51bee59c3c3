package io.skep.storage.acid;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a file in a transactional table says.
 *
 * @param kind which rows the file has
 * @param bucket the bucket or writer; empty when the name has none
 */
record AcidFileName(Kind kind, OptionalInt bucket) {
    /** Which rows a file has. */
    enum Kind {
        /** Rows or delete events with their identifiers. */
        STORED,
        /** Rows without identifiers. */
        ORIGINAL,
        /** The length up to which a file that is being written has committed rows. */
        FLUSH_LENGTH,
        OTHER
    }

    private static final Pattern STORED = Pattern.compile("bucket_(\\d{1,9})(?:_\\d+)?");
    private static final Pattern ORIGINAL = Pattern.compile("(\\d{1,9})_\\d+(?:_copy_\\d+)?");
    static final String FLUSH_LENGTH = "_flush_length";

    static AcidFileName of(String name) {
        Matcher stored = STORED.matcher(name);
        if (stored.matches()) {
            return new AcidFileName(Kind.STORED, OptionalInt.of(Integer.parseInt(stored.group(1))));
        }
        Matcher original = ORIGINAL.matcher(name);
        if (original.matches()) {
            return new AcidFileName(Kind.ORIGINAL, OptionalInt.of(Integer.parseInt(original.group(1))));
        }
        boolean length = name.startsWith("bucket_") && name.endsWith(FLUSH_LENGTH);
        return new AcidFileName(length ? Kind.FLUSH_LENGTH : Kind.OTHER, OptionalInt.empty());
    }
}
