package io.skep.storage.acid;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A folder of a transactional table or partition, as its name describes it: {@code base_5}, {@code delta_6_6_0},
 * {@code delete_delta_6_6_0}, or {@code delta_6_9_v42}.
 *
 * @param minWriteId the first write id whose rows the folder may hold; for a base the lowest number
 * @param maxWriteId the last write id whose rows the folder may hold
 * @param statement number of the statement in its transaction, or {@link #NO_STATEMENT}
 * @param visibilityTxnId the transaction of the compaction that wrote the folder, or 0
 */
public record AcidFolder(
        Kind kind, long minWriteId, long maxWriteId, int statement, long visibilityTxnId, String name) {
    public static final int NO_STATEMENT = -1;

    /** What a folder holds. */
    public enum Kind {
        BASE("base_"),
        DELTA("delta_"),
        DELETE_DELTA("delete_delta_");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    private static final Pattern BASE = Pattern.compile("base_(-?\\d+)(?:_v(\\d+))?");
    private static final Pattern DELTA = Pattern.compile("(?:delete_)?delta_(\\d+)_(\\d+)(?:_(\\d+))?(?:_v(\\d+))?");

    /**
     * The order in which deltas are considered. A wide delta comes before the ones that it replaces, and one without
     * statements before those of the statements. Of two compactions of the same deltas, the last one comes first.
     */
    static final Comparator<AcidFolder> WIDEST_FIRST = Comparator.comparingLong(AcidFolder::minWriteId)
            .thenComparing(AcidFolder::maxWriteId, Comparator.reverseOrder())
            .thenComparingInt(AcidFolder::statement)
            .thenComparing(AcidFolder::visibilityTxnId, Comparator.reverseOrder())
            .thenComparing(AcidFolder::name);

    /**
     * Returns what a folder's name says, or empty for a folder of other files.
     *
     * @throws SkepException if the name begins like those of a transactional table's folders and does not continue so
     */
    public static Optional<AcidFolder> parse(String name) {
        for (Kind kind : Kind.values()) {
            if (name.startsWith(kind.prefix)) {
                try {
                    return Optional.of(kind == Kind.BASE ? base(name) : delta(kind, name));
                } catch (NumberFormatException e) {
                    throw malformed(name);
                }
            }
        }
        return Optional.empty();
    }

    private static AcidFolder base(String name) {
        Matcher matcher = BASE.matcher(name);
        if (!matcher.matches()) {
            throw malformed(name);
        }
        long writeId = Long.parseLong(matcher.group(1));
        return new AcidFolder(Kind.BASE, Long.MIN_VALUE, writeId, NO_STATEMENT, number(matcher.group(2)), name);
    }

    private static AcidFolder delta(Kind kind, String name) {
        Matcher matcher = DELTA.matcher(name);
        if (!matcher.matches()) {
            throw malformed(name);
        }
        long min = Long.parseLong(matcher.group(1));
        long max = Long.parseLong(matcher.group(2));
        if (min > max) {
            throw malformed(name);
        }
        int statement = matcher.group(3) == null ? NO_STATEMENT : Integer.parseInt(matcher.group(3));
        return new AcidFolder(kind, min, max, statement, number(matcher.group(4)), name);
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static SkepException malformed(String name) {
        return new SkepException(
                        StandardErrorCode.CORRUPT_FILE,
                        "the folder " + name + " of a transactional table has no valid write ids in its name")
                .withHint("rename the folder, or move it out of the table");
    }

    /** Returns the folder of a base. */
    public static AcidFolder ofBase(long writeId) {
        return base(Kind.BASE.prefix + digits(writeId));
    }

    /** Returns the folder of what one statement of a transaction inserts or deletes. */
    public static AcidFolder ofDelta(Kind kind, long writeId, int statement) {
        return delta(
                kind,
                kind.prefix + digits(writeId) + "_" + digits(writeId) + "_"
                        + String.format(Locale.ROOT, "%04d", statement));
    }

    /**
     * Returns the base of a major compaction.
     *
     * @param transaction the transaction of the compaction; the folder is not visible before that has committed
     */
    public static AcidFolder ofCompactedBase(long writeId, long transaction) {
        return base(Kind.BASE.prefix + digits(writeId) + "_v" + digits(transaction));
    }

    /** Returns the delta, or the delete delta, of a minor compaction. */
    public static AcidFolder ofCompactedDelta(Kind kind, long minWriteId, long maxWriteId, long transaction) {
        return delta(kind, kind.prefix + digits(minWriteId) + "_" + digits(maxWriteId) + "_v" + digits(transaction));
    }

    /** Returns the name of a compaction's file with the rows of a bucket. */
    public static String compactedFile(int bucket) {
        return String.format(Locale.ROOT, "bucket_%05d", bucket);
    }

    private static String digits(long writeId) {
        return String.format(Locale.ROOT, "%07d", writeId);
    }

    public boolean deletes() {
        return kind == Kind.DELETE_DELTA;
    }

    /** Returns the number of the statement that a row's bucket property contains. */
    int statementOrFirst() {
        return Math.max(statement, 0);
    }
}
