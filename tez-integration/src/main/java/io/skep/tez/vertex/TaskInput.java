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
 * What a task reads of what its vertex gets, as the vertex manager tells it in an event. Broadcast rows are read by each task whole.
 *
 * @param partitions of the outputs that are partitioned
 * @param mirroredJoins joins of the fragment that are built from their left side, see {@link SwappedJoins}
 * @param splits what it reads of the files of its vertex; what was planned when it is not here
 * @param slices by producing fragment: of which of its tasks the rows are read; of all when the fragment is not here
 */
public record TaskInput(
        PartitionRange partitions,
        Set<Integer> mirroredJoins,
        Map<Integer, Slice> slices,
        Optional<SplitShare> splits) {
    /** Tasks of a producer: {@code from} and what follows, before {@code to}; may be none. */
    record Slice(int from, int to) {}

    public TaskInput {
        mirroredJoins = Set.copyOf(mirroredJoins);
        slices = Map.copyOf(slices);
    }

    /** All rows of some partitions. */
    public TaskInput(PartitionRange partitions) {
        this(partitions, Set.of(), Map.of());
    }

    /** Of a task that reads no files, or those that were planned. */
    public TaskInput(PartitionRange partitions, Set<Integer> mirroredJoins, Map<Integer, Slice> slices) {
        this(partitions, mirroredJoins, slices, Optional.empty());
    }

    TaskInput withSplits(SplitShare share) {
        return new TaskInput(partitions, mirroredJoins, slices, Optional.of(share));
    }

    TaskInput withMirrored(Set<Integer> joins) {
        return new TaskInput(partitions, joins, slices, splits);
    }

    /** The ones that are for the task of what the tasks of a fragment have. */
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
