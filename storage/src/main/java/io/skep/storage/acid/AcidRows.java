package io.skep.storage.acid;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.storage.scan.ConsecutiveRowIds;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupCursor;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hive.common.ValidReaderWriteIdList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.jspecify.annotations.Nullable;

/**
 * Decides which rows of a split of a transactional table are in the snapshot, and provides their identifiers. Most row
 * groups have consecutive identifiers. Then nothing is read for them, and deleted rows are found by position. The
 * thread that opens the file calls {@link #load} and {@link #prepare}. The thread that owns the page source calls the
 * other methods afterwards.
 */
public final class AcidRows implements AutoCloseable {
    /**
     * What is known of a row group.
     *
     * @param ids null when the identifiers are read, or not needed
     * @param columns ordinals of the {@link AcidColumn}s that must be read
     */
    private record Prepared(@Nullable ConsecutiveRowIds ids, List<Integer> columns) {}

    private final Split split;
    private final AcidInfo acid;
    private final int firstColumn;
    private final boolean idsWanted;
    private final DeleteSets sets;
    private final MemoryPool memory;
    private final @Nullable ValidWriteIdList writeIds;
    private final Map<Integer, Prepared> prepared = new ConcurrentHashMap<>();
    private volatile DeletedRows deleted = DeletedRows.NONE;
    private volatile long[] rowsBefore = new long[0];
    private int[] live = new int[0];

    /** Bytes reserved for delete events that belong to this split alone. */
    @GuardedBy("this")
    private long held;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param split a split with {@link AcidInfo}, as readers get it
     * @param firstColumn the ordinal of the first {@link AcidColumn} among the file columns
     * @param idsWanted whether the scan reads row identifiers
     */
    public AcidRows(Split split, int firstColumn, boolean idsWanted, DeleteSets sets, MemoryPool memory) {
        this.split = split;
        this.acid = split.acid().orElseThrow();
        this.firstColumn = firstColumn;
        this.idsWanted = idsWanted;
        this.sets = sets;
        this.memory = memory;
        this.writeIds =
                acid.mixed() ? ValidReaderWriteIdList.fromValue(acid.writeIds().orElseThrow()) : null;
    }

    /** Whether {@link #load} or {@link #prepare} may wait for the disk. */
    public boolean readsFiles() {
        return idsWanted || !acid.deleteFiles().isEmpty();
    }

    /** Reads the delete events. Must be called before the first row group is prepared. May wait for the disk. */
    public void load(RowGroupReader reader) {
        deleted = sets.of(split, acid, this::account);
        if (!acid.stored() && needsIds()) {
            List<RowGroup> rowGroups = reader.rowGroups();
            long[] before = new long[rowGroups.size()];
            for (int i = 1; i < before.length; i++) {
                before[i] = before[i - 1] + rowGroups.get(i - 1).rowCount();
            }
            rowsBefore = before;
        }
    }

    private synchronized void account(long bytes) {
        if (closed) {
            throw new CancellationException("nobody waits for " + split.file().path());
        }
        if (bytes >= 0) {
            memory.reserve(bytes);
        } else {
            memory.release(-bytes);
        }
        held += bytes;
    }

    private boolean needsIds() {
        return idsWanted || !deleted.isEmpty();
    }

    /** Finds out what must be read for a row group. May wait for the disk. */
    public void prepare(RowGroupReader reader, RowGroup rowGroup) {
        ConsecutiveRowIds ids = needsIds() ? ids(reader, rowGroup) : null;
        List<Integer> columns = new ArrayList<>();
        if (needsIds() && ids == null) {
            columns.add(ordinal(AcidColumn.WRITE_ID));
            columns.add(ordinal(AcidColumn.BUCKET));
            columns.add(ordinal(AcidColumn.ROW_ID));
        }
        if (writeIds != null) {
            columns.add(ordinal(AcidColumn.CURRENT_WRITE_ID));
        }
        prepared.put(rowGroup.index(), new Prepared(ids, List.copyOf(columns)));
    }

    private @Nullable ConsecutiveRowIds ids(RowGroupReader reader, RowGroup rowGroup) {
        AcidInfo.DerivedRowIds derived = acid.derived().orElse(null);
        if (derived == null) {
            return reader.rowIds(rowGroup).orElse(null);
        }
        long first = derived.firstRowId()
                .orElseThrow(() -> new IllegalStateException("the snapshot was taken without row ids"));
        return new ConsecutiveRowIds(derived.writeId(), derived.bucket(), first + rowsBefore[rowGroup.index()]);
    }

    private int ordinal(AcidColumn column) {
        return firstColumn + column.ordinal();
    }

    /** Returns the ordinals of file columns that must be read for a prepared row group, besides the scan's own. */
    public List<Integer> columns(RowGroup rowGroup) {
        return prepared(rowGroup).columns();
    }

    private Prepared prepared(RowGroup rowGroup) {
        Prepared known = prepared.get(rowGroup.index());
        if (known == null) {
            throw new IllegalStateException(rowGroup + " was not prepared");
        }
        return known;
    }

    /**
     * Decides on the cursor's current rows.
     *
     * @param position the number of rows of the row group before them
     */
    public AcidBatch batch(RowGroupCursor cursor, long position, int count) {
        Prepared known = prepared(cursor.rowGroup());
        Ids ids =
                !needsIds() ? null : known.ids() == null ? new Stored(cursor) : new Consecutive(known.ids(), position);
        int[] rows = live.length < count ? new int[count] : live;
        live = rows;
        int kept = ids == null || deleted.isEmpty() ? count : ids.live(count, rows);
        Vector flags = null;
        if (acid.withDeleted()) {
            flags = flags(count, rows, kept);
            kept = count;
        }
        boolean filled = kept < count;
        if (writeIds != null) {
            for (int i = 0; i < count && !filled; i++) {
                rows[i] = i;
            }
            kept = retain(writeIds, values(cursor, AcidColumn.CURRENT_WRITE_ID), rows, kept);
        }
        Vector identifiers = idsWanted && ids != null ? ids.vector(count) : null;
        return new AcidBatch(kept, kept == count ? null : rows, identifiers, flags);
    }

    private static Vector flags(int count, int[] live, int kept) {
        long[] flags = new long[count];
        if (kept < count) {
            Arrays.fill(flags, 1);
            for (int i = 0; i < kept; i++) {
                flags[live[i]] = 0;
            }
        }
        return new LongVector(flags, null, count);
    }

    /** Removes the rows of write ids that are not part of the snapshot. */
    private static int retain(ValidWriteIdList valid, long[] current, int[] rows, int count) {
        int kept = 0;
        long last = 0;
        boolean lastValid = false;
        for (int i = 0; i < count; i++) {
            long writeId = current[rows[i]];
            if (i == 0 || writeId != last) {
                last = writeId;
                lastValid = valid.isWriteIdValid(writeId);
            }
            if (lastValid) {
                rows[kept++] = rows[i];
            }
        }
        return kept;
    }

    private long[] values(RowGroupCursor cursor, AcidColumn column) {
        Vector vector = cursor.column(ordinal(column));
        if (vector.mayHaveNulls() || !(vector.flatten() instanceof LongVector longs)) {
            throw new SkepException(
                            StandardErrorCode.CORRUPT_FILE,
                            "a row of " + split.file().path() + " has no " + column.storedName())
                    .withHint("restore the file from a copy");
        }
        return longs.values();
    }

    @Override
    public void close() {
        long released;
        synchronized (this) {
            closed = true;
            released = held;
            held = 0;
        }
        memory.release(released);
    }

    /** The identifiers of the rows of a batch. */
    private sealed interface Ids {
        /** Finds the rows that are not deleted. */
        int live(int count, int[] live);

        Vector vector(int count);
    }

    private final class Consecutive implements Ids {
        private final ConsecutiveRowIds ids;
        private final long first;

        Consecutive(ConsecutiveRowIds ids, long position) {
            this.ids = ids;
            this.first = ids.first() + position;
        }

        @Override
        public int live(int count, int[] live) {
            RowIdSet set = deleted.of(ids.writeId(), ids.bucket());
            return set == null ? count : set.live(first, count, live);
        }

        @Override
        public Vector vector(int count) {
            long[] writeIds = new long[count];
            Arrays.fill(writeIds, ids.writeId());
            long[] buckets = new long[count];
            Arrays.fill(buckets, ids.bucket());
            long[] rowIds = new long[count];
            for (int i = 0; i < count; i++) {
                rowIds[i] = first + i;
            }
            return identifiers(writeIds, buckets, rowIds, count);
        }
    }

    private final class Stored implements Ids {
        private final long[] writeIds;
        private final long[] buckets;
        private final long[] rowIds;

        Stored(RowGroupCursor cursor) {
            this.writeIds = values(cursor, AcidColumn.WRITE_ID);
            this.buckets = values(cursor, AcidColumn.BUCKET);
            this.rowIds = values(cursor, AcidColumn.ROW_ID);
        }

        @Override
        public int live(int count, int[] live) {
            int kept = 0;
            RowIdSet set = null;
            for (int i = 0; i < count; i++) {
                if (i == 0 || writeIds[i] != writeIds[i - 1] || buckets[i] != buckets[i - 1]) {
                    set = deleted.of(writeIds[i], Math.toIntExact(buckets[i]));
                }
                if (set == null || !set.contains(rowIds[i])) {
                    live[kept++] = i;
                }
            }
            return kept;
        }

        /** The values may be in arrays that the source uses again, so they are copied. */
        @Override
        public Vector vector(int count) {
            return identifiers(
                    Arrays.copyOf(writeIds, count), Arrays.copyOf(buckets, count), Arrays.copyOf(rowIds, count), count);
        }
    }

    private static Vector identifiers(long[] writeIds, long[] buckets, long[] rowIds, int count) {
        return new StructVector(
                List.of(
                        new LongVector(writeIds, null, count),
                        new LongVector(buckets, null, count),
                        new LongVector(rowIds, null, count)),
                null,
                count);
    }
}
