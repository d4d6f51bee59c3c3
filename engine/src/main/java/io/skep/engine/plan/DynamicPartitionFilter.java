package io.skep.engine.plan;

import java.util.List;

/**
 * Determines which splits of a scan are needed: those whose value of a partition column is among the values that other
 * fragments have in a column of their output. All other rows find no match in a join further up. The join drops them in
 * any case. Therefore it is also correct to read a split before these values are known, or without checking them.
 *
 * @param column index among the scan's output columns
 * @param fragments fragments that have the values, together; null is never among the values
 * @param source column of their output
 */
public record DynamicPartitionFilter(int column, List<Integer> fragments, int source) {
    public DynamicPartitionFilter {
        fragments = List.copyOf(fragments);
    }
}
