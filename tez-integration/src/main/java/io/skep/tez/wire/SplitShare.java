package io.skep.tez.wire;

import io.skep.llap.client.LazyEncoded;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The splits that a task reads: those of a planned task, without the pruned ones.
 *
 * @param task number of the planned task
 * @param leftOut by scan: which of its splits are not read
 * @param unread how many splits are not read at all; of this task, and of tasks that were dropped
 */
public record SplitShare(int task, Map<Integer, BitSet> leftOut, long unread) {
    public SplitShare {
        leftOut = Map.copyOf(leftOut);
    }

    public SplitShare withMore(long more) {
        return new SplitShare(task, leftOut, unread + more);
    }

    /** Returns the splits of a scan that are read. */
    public <T> List<T> of(int scan, List<T> splits) {
        BitSet without = leftOut.get(scan);
        return without == null
                ? splits
                : IntStream.range(0, splits.size())
                        .filter(split -> !without.get(split))
                        .mapToObj(splits::get)
                        .toList();
    }

    /**
     * The encoded splits that a task reads.
     *
     * @param splits of the planned task, by scan
     * @param chosen which of them; all if empty
     */
    public static Map<Integer, List<LazyEncoded>> encoded(
            Map<Integer, List<byte[]>> splits, Optional<SplitShare> chosen) {
        Map<Integer, List<LazyEncoded>> encoded = new HashMap<>();
        splits.forEach((scan, bytes) -> {
            List<byte[]> read = chosen.map(share -> share.of(scan, bytes)).orElse(bytes);
            encoded.put(scan, read.stream().map(LazyEncoded::ofBytes).toList());
        });
        return encoded;
    }

    public int encodedBytes() {
        int words = leftOut.values().stream()
                .mapToInt(splits -> splits.toLongArray().length)
                .sum();
        return (2 + 2 * leftOut.size()) * Integer.BYTES + (1 + words) * Long.BYTES;
    }

    public void write(ByteBuffer out) {
        out.putInt(task).putLong(unread).putInt(leftOut.size());
        leftOut.forEach((scan, splits) -> {
            long[] words = splits.toLongArray();
            out.putInt(scan).putInt(words.length);
            for (long word : words) {
                out.putLong(word);
            }
        });
    }

    public static SplitShare read(ByteBuffer in) {
        int task = in.getInt();
        long unread = in.getLong();
        Map<Integer, BitSet> leftOut = new HashMap<>();
        for (int i = in.getInt(); i > 0; i--) {
            int scan = in.getInt();
            long[] words = new long[in.getInt()];
            for (int word = 0; word < words.length; word++) {
                words[word] = in.getLong();
            }
            leftOut.put(scan, BitSet.valueOf(words));
        }
        return new SplitShare(task, leftOut, unread);
    }
}
