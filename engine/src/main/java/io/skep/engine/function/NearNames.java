package io.skep.engine.function;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds what a mistyped name may have meant. */
final class NearNames {
    private NearNames() {}

    /** The name with the fewest edits, when those are at most a third of its length. */
    static @Nullable String nearest(String name, Collection<String> names) {
        String nearest = null;
        int fewest = name.length() / 3 + 1;
        for (String candidate : names) {
            int edits = edits(name, candidate, fewest);
            if (edits < fewest) {
                fewest = edits;
                nearest = candidate;
            }
        }
        return nearest;
    }

    private static int edits(String a, String b, int limit) {
        if (Math.abs(a.length() - b.length()) >= limit) {
            return limit;
        }
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
