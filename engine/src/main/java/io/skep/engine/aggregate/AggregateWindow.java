package io.skep.engine.aggregate;

import io.skep.common.concurrent.Interruption;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.scalar.Values;
import io.skep.engine.plan.WindowCall;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate over window frames. A frame that grows with the rows is accumulated as it grows. For a frame that
 * slides, rows are removed if the accumulator supports it. All other frames are computed from scratch. Rows with the
 * same frame share its result.
 */
public final class AggregateWindow implements WindowFunction {
    private static final long COUNTED_STEP = 1 << 20;

    /** The number of rows of a frame that are added between two checks for interruption. */
    private static final int ADDED_ROWS = 1 << 16;

    /** The overhead in bytes of a row in the set of distinct rows, and of each of its values. */
    private static final int DIFFERENT_BYTES = 120;

    private final AggregateFunction function;
    private final boolean distinct;
    private @Nullable Accumulator states;
    private int lastGroup;

    /** The bytes of the states that are already charged to the thread's account. */
    private long counted;

    public AggregateWindow(AggregateFunction function, boolean distinct) {
        this.function = function;
        this.distinct = distinct;
    }

    @Override
    public boolean framed() {
        return true;
    }

    @Override
    public WindowPiece piece(WindowCall.Frame bounds) {
        return distinct ? WindowPiece.PARTITION : WindowPiece.ofGrowing(bounds);
    }

    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        VectorAppender results = VectorAppender.of(function.type());
        int[] slots = new int[rows.count()];
        boolean goesOn = rows.before() > 0;
        Frame frame = new Frame(begin(goesOn), arguments, goesOn);
        int slot = -1;
        for (int row = 0; row < slots.length; row++) {
            Interruption.check();
            int start = rows.frameStarts()[row];
            int end = Math.max(start, rows.frameEnds()[row]);
            if (slot < 0 || !frame.is(start, end, rows.partitionStarts()[row])) {
                frame.moveTo(start, end, rows.partitionStarts()[row]);
                count(frame.bytes());
                results.append(frame.accumulator.results(frame.group, 1), 0);
                slot++;
            }
            slots[row] = slot;
        }
        lastGroup = frame.group;
        counted = Math.min(counted, frame.accumulator.retainedBytes());
        return results.build().select(slots, slots.length);
    }

    /**
     * Returns a new accumulator. If the partition continues from the previous block, its first group holds the
     * partition's earlier rows.
     */
    private Accumulator begin(boolean goesOn) {
        Accumulator last = states;
        Accumulator next = function.newAccumulator();
        states = next;
        if (last != null) {
            if (goesOn) {
                next.ensureGroups(1);
                next.merge(new int[1], last.states(lastGroup, 1), 1);
            }
            last.close();
        }
        return next;
    }

    /** Charges the growth of the states to the thread's account, in steps. */
    private void count(long bytes) {
        if (bytes - counted >= COUNTED_STEP) {
            ScratchMemory.count(bytes - counted);
            counted = bytes;
        }
    }

    @Override
    public long retainedBytes() {
        Accumulator current = states;
        return current == null ? 0 : current.retainedBytes();
    }

    @Override
    public void close() {
        if (states != null) {
            states.close();
            states = null;
        }
    }

    /** The rows that the current group of the accumulator holds, from start to end. */
    private final class Frame {
        private final Accumulator accumulator;
        private final Vector[] arguments;
        private int group;
        private int partition;
        private int start;
        private int end;

        /** The rows of the frame, used only for DISTINCT. */
        private final Set<List<Datum>> seen = new HashSet<>();

        private long seenBytes;

        /** @param goesOn whether the first group already has rows of the first partition */
        private Frame(Accumulator accumulator, Vector[] arguments, boolean goesOn) {
            this.accumulator = accumulator;
            this.arguments = arguments;
            this.group = goesOn ? 0 : -1;
            this.partition = goesOn ? 0 : -1;
        }

        private boolean is(int otherStart, int otherEnd, int otherPartition) {
            return group >= 0 && partition == otherPartition && start == otherStart && end == otherEnd;
        }

        private void moveTo(int newStart, int newEnd, int newPartition) {
            boolean goesOn = group >= 0 && partition == newPartition && newEnd >= end;
            boolean grows = goesOn && newStart == start;
            boolean slides = goesOn && newStart >= start && newStart <= end && accumulator.removable() && !distinct;
            if (grows) {
                add(end, newEnd);
            } else if (slides) {
                accumulator.removeAll(group, part(start, newStart), newStart - start);
                add(end, newEnd);
            } else {
                group++;
                accumulator.ensureGroups(group + 1);
                seen.clear();
                seenBytes = 0;
                add(newStart, newEnd);
            }
            start = newStart;
            end = newEnd;
            partition = newPartition;
        }

        private void add(int from, int to) {
            for (int at = from; at < to; at += ADDED_ROWS) {
                Interruption.check();
                addPiece(at, Math.min(to, at + ADDED_ROWS));
            }
        }

        private void addPiece(int from, int to) {
            Vector[] part = part(from, to);
            if (!distinct) {
                accumulator.addAll(group, part, to - from);
                return;
            }
            int[] positions = new int[to - from];
            int count = different(part, positions);
            Vector[] selected = Arrays.stream(part)
                    .map(vector -> vector.select(positions, count))
                    .toArray(Vector[]::new);
            accumulator.addAll(group, selected, count);
            for (Vector values : selected) {
                seenBytes += ValueBytes.of(values, count, DIFFERENT_BYTES);
            }
        }

        /** Returns the bytes that the accumulator and the set of distinct rows hold. */
        private long bytes() {
            return accumulator.retainedBytes() + seenBytes;
        }

        private Vector[] part(int from, int to) {
            Vector[] part = new Vector[arguments.length];
            for (int i = 0; i < part.length; i++) {
                part[i] = arguments[i].slice(from, to - from);
            }
            return part;
        }

        /** Finds the rows that the frame did not contain before. Writes their positions and returns their number. */
        private int different(Vector[] part, int[] positions) {
            int count = 0;
            for (int row = 0; row < positions.length; row++) {
                int at = row;
                if (seen.add(Arrays.stream(part)
                        .map(vector -> Values.datum(vector, at))
                        .toList())) {
                    positions[count++] = row;
                }
            }
            return count;
        }
    }
}
