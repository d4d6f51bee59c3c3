package io.skep.common.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Suggests names that a mistyped name may have meant, for hints. */
public final class DidYouMean {
    private static final int MOST = 3;

    /** Longer names are not compared, because time and memory grow with the product of both lengths. */
    private static final int MAX_LENGTH = 200;

    private DidYouMean() {}

    /**
     * Returns the candidates whose edit distance is within a third of the name's length (none for one or two letters).
     * They are sorted by distance, at most three.
     */
    public static List<String> of(String name, Collection<String> candidates) {
        if (name.length() > MAX_LENGTH) {
            return List.of();
        }
        String wanted = name.toLowerCase(Locale.ROOT);
        int limit = wanted.length() < 3 ? 0 : Math.max(1, wanted.length() / 3);
        return candidates.stream()
                .filter(candidate -> Math.abs(candidate.length() - wanted.length()) <= limit)
                .filter(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT)) <= limit)
                .sorted(Comparator.<String>comparingInt(
                                candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .distinct()
                .limit(MOST)
                .toList();
    }

    /** Returns the number of edits (insert, delete, replace, swap of neighbours) from one text to the other. */
    static int distance(String left, String right) {
        int[][] edits = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : step(edits, left, right, i, j);
            }
        }
        return edits[left.length()][right.length()];
    }

    private static int step(int[][] edits, String left, String right, int i, int j) {
        boolean same = left.charAt(i - 1) == right.charAt(j - 1);
        int best = Math.min(edits[i - 1][j - 1] + (same ? 0 : 1), Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped = i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
