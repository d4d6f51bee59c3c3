package io.skep.tez.vertex;

import io.skep.llap.client.PartitionRange;
import java.util.ArrayList;
import java.util.List;

/** Groups neighbouring partitions, so that each task reads about as much as is worth a task. */
final class PartitionGroups {
    private PartitionGroups() {}

    /**
     * Returns groups that cover all partitions, in order. A group is larger than requested only if a single one of its
     * partitions has rows.
     *
     * @param sizes of the partitions, in bytes
     * @param groupBytes size of a group
     */
    static List<PartitionRange> of(long[] sizes, long groupBytes) {
        List<PartitionRange> groups = new ArrayList<>();
        int first = 0;
        long room = groupBytes;
        for (int i = 0; i < sizes.length; i++) {
            boolean hasRows = room < groupBytes;
            if (hasRows && sizes[i] > room) {
                groups.add(new PartitionRange(first, i - first));
                first = i;
                room = groupBytes;
            }
            room = Math.max(0, room - sizes[i]);
        }
        groups.add(new PartitionRange(first, sizes.length - first));
        return groups;
    }
}
