package io.skep.tez.vertex;

import io.skep.storage.table.Split;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/** Assigns splits where no daemon caches files, so that all tasks get about the same number of bytes. */
public final class EvenSplits {
    private record Slot(int number, long bytes) {}

    private EvenSplits() {}

    /** Returns a slot for each split. Larger splits are assigned first, each to the slot with the fewest bytes. */
    public static int[] assign(List<Split> splits, int slots) {
        PriorityQueue<Slot> free =
                new PriorityQueue<>(Comparator.comparingLong(Slot::bytes).thenComparingInt(Slot::number));
        IntStream.range(0, slots).forEach(number -> free.add(new Slot(number, 0)));
        int[] slotOf = new int[splits.size()];
        Arrays.stream(largestFirst(splits)).forEach(split -> {
            Slot least = free.remove();
            slotOf[split] = least.number();
            free.add(new Slot(
                    least.number(),
                    least.bytes() + Math.max(1, splits.get(split).length())));
        });
        return slotOf;
    }

    private static int[] largestFirst(List<Split> splits) {
        return IntStream.range(0, splits.size())
                .boxed()
                .sorted(Comparator.comparingLong(
                        (Integer split) -> -splits.get(split).length()))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
