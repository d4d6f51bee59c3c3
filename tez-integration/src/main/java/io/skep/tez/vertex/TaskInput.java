package io.skep.tez.vertex;

import io.skep.engine.schedule.SwappedJoins;
import io.skep.llap.client.PartitionRange;
import io.skep.tez.wire.SplitShare;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of its vertex's input that a task reads. The vertex manager sends it to the task in an event. Each task
 * reads broadcast rows as a whole.
 *
 * @param partitions of the outputs that are partitioned
 * @param mirroredJoins joins of the fragment that are built from their left side, see {@link SwappedJoins}
 * @param splits the part of the vertex's splits that it reads; empty for the planned splits
 * @param slices by producing fragment: the tasks whose rows are read; all tasks of a fragment that is absent
 */
public record TaskInput(
        PartitionRange partitions,
        Set<Integer> mirroredJoins,
        Map<Integer, Slice> slices,
        Optional<SplitShare> splits) {
    /** A range of a producer's tasks, from {@code from} up to but not including {@code to}. It may be empty. */
    record Slice(int from, int to) {}

    public TaskInput {
        mirroredJoins = Set.copyOf(mirroredJoins);
        slices = Map.copyOf(slices);
    }

    /** Creates an input of all rows of some partitions. */
    public TaskInput(PartitionRange partitions) {
        this(partitions, Set.of(), Map.of());
    }

    /** Creates an input for a task that reads no splits, or its planned ones. */
    public TaskInput(PartitionRange partitions, Set<Integer> mirroredJoins, Map<Integer, Slice> slices) {
        this(partitions, mirroredJoins, slices, Optional.empty());
    }

    TaskInput withSplits(SplitShare share) {
        return new TaskInput(partitions, mirroredJoins, slices, Optional.of(share));
    }

    TaskInput withMirrored(Set<Integer> joins) {
        return new TaskInput(partitions, joins, slices, splits);
    }

    /** Selects this task's outputs from the outputs of a fragment's tasks. */
    public <T> List<T> of(int fragment, List<T> outputs) {
        Slice slice = slices.get(fragment);
        return slice == null ? outputs : outputs.subList(slice.from(), slice.to());
    }

    ByteBuffer encode() {
        int more = splits.map(SplitShare::encodedBytes).orElse(0);
        ByteBuffer bytes =
                ByteBuffer.allocate(Integer.BYTES * (4 + mirroredJoins.size() + 3 * slices.size()) + 1 + more);
        bytes.putInt(partitions.first()).putInt(partitions.count()).putInt(mirroredJoins.size());
        mirroredJoins.forEach(bytes::putInt);
        bytes.putInt(slices.size());
        slices.forEach(
                (fragment, slice) -> bytes.putInt(fragment).putInt(slice.from()).putInt(slice.to()));
        bytes.put((byte) (splits.isPresent() ? 1 : 0));
        splits.ifPresent(share -> share.write(bytes));
        return bytes.flip();
    }

    public static TaskInput decode(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.duplicate();
        PartitionRange partitions = new PartitionRange(bytes.getInt(), bytes.getInt());
        Set<Integer> mirrored = new HashSet<>();
        for (int i = bytes.getInt(); i > 0; i--) {
            mirrored.add(bytes.getInt());
        }
        Map<Integer, Slice> slices = new HashMap<>();
        for (int i = bytes.getInt(); i > 0; i--) {
            slices.put(bytes.getInt(), new Slice(bytes.getInt(), bytes.getInt()));
        }
        Optional<SplitShare> splits = bytes.get() == 1 ? Optional.of(SplitShare.read(bytes)) : Optional.empty();
        return new TaskInput(partitions, mirrored, slices, splits);
    }
}
