package io.skep.engine.aggregate;

/**
 * Some partitions of a window operator, or pieces of them, their rows one after the other in the window's order. All arrays have
 * an entry a row at least; starts are inclusive, ends exclusive, all are row numbers within this block.
 *
 * @param count number of rows
 * @param before rows of the first row's partition that came in earlier blocks
 * @param partitionStarts, partitionEnds the row's partition
 * @param peerStarts, peerEnds rows of the partition that are equal to the row in the window's order
 * @param frameStarts, frameEnds the row's frame, within its partition; empty where start is not below end
 */
public record WindowRows(
        int count,
        long before,
        int[] partitionStarts,
        int[] partitionEnds,
        int[] peerStarts,
        int[] peerEnds,
        int[] frameStarts,
        int[] frameEnds) {}
