package io.skep.engine.plan;

import java.util.List;

/**
 * Which splits of a scan matter: those whose value of a partition column is among the values that other fragments have in a column of
 * their output; all other rows find no match in a join further up. The join drops them in any case, so whoever reads
 * a split before these values are known, or without asking for them, is right too.
 *
 * @param column index among the scan's output columns
 * @param fragments that have the values, together; nulls are none
 * @param source column of their output
 */
public record SplitFilter(int column, List<Integer> fragments, int source) {
    public SplitFilter {
        fragments = List.copyOf(fragments);
    }
}
