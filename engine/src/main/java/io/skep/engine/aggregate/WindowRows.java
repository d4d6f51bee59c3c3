package io.skep.engine.aggregate;

/**
 * Some partitions of a window operator, or pieces of them. Their rows are in the window's order, one partition after
 * the other. Each array has at least one entry for each row. Starts are inclusive and ends exclusive. All of them are
 * row numbers within this block.
 *
 * @param count number of rows
 * @param before number of rows of the first row's partition that were in earlier blocks
 * @param partitionStarts, partitionEnds bounds of the row's partition
 * @param peerStarts, peerEnds bounds of the rows of the partition that are equal to the row in the window's order
 * @param frameStarts, frameEnds bounds of the row's frame, within its partition; the frame is empty if its start is not
 *     below its end
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
