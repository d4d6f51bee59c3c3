package io.skep.ql.query;

import io.skep.ql.rel.TableSample;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the splits of a sample by percent or bytes: consecutive ones from the split that the seed says, round the end
 * of the list, until they have the size of the sample. The last one is cut. A row group belongs to the split in which
 * it begins, so that a cut split has the row groups in its first part whole, and no row is in a sample twice.
 */
final class SampledSplits {
    /**
     * The smallest part of a split. The first row group of a file begins behind a header of the format, which must not
     * be the whole of a small sample.
     */
    static final long MIN_BYTES = 4096;

    private SampledSplits() {}

    static List<Split> of(TableSample.Blocks sample, List<Split> all) {
        long wanted = sample.bytesOf(all.stream().mapToLong(Split::length).sum());
        List<Split> chosen = new ArrayList<>();
        int first = all.isEmpty() ? 0 : Math.floorMod(sample.seed(), all.size());
        for (int i = 0; i < all.size() && wanted > 0; i++) {
            Split split = all.get((first + i) % all.size());
            chosen.add(split.withLength(Math.min(split.length(), Math.max(wanted, MIN_BYTES))));
            wanted -= split.length();
        }
        return chosen;
    }
}
