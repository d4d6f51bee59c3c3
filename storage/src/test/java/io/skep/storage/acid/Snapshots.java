package io.skep.storage.acid;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.hadoop.hive.common.ValidReadTxnList;
import org.apache.hadoop.hive.common.ValidReaderWriteIdList;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/** Snapshots for tests. */
final class Snapshots {
    private Snapshots() {}

    /** All write ids until a number, except open ones and aborted ones. */
    static ValidWriteIdList writeIds(long last, long[] open, long... aborted) {
        long[] exceptions = new long[open.length + aborted.length];
        System.arraycopy(open, 0, exceptions, 0, open.length);
        System.arraycopy(aborted, 0, exceptions, open.length, aborted.length);
        Arrays.sort(exceptions);
        BitSet bits = new BitSet();
        for (long writeId : aborted) {
            bits.set(Arrays.binarySearch(exceptions, writeId));
        }
        long firstOpen = Arrays.stream(open).min().orElse(Long.MAX_VALUE);
        return new ValidReaderWriteIdList("default.t", exceptions, bits, last, firstOpen);
    }

    static ValidWriteIdList upTo(long last) {
        return writeIds(last, new long[0]);
    }

    /** All transactions until a number, except open ones. */
    static ValidTxnList transactions(long last, long... open) {
        long firstOpen = Arrays.stream(open).min().orElse(Long.MAX_VALUE);
        return new ValidReadTxnList(open, new BitSet(), last, firstOpen);
    }
}
