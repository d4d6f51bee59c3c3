package io.skep.engine.aggregate;

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
 * An aggregate over frames. Frames that grow with the rows are accumulated as they grow, frames that slide take rows out
 * where the accumulator can, and all others are computed anew; rows with the same frame share its result.
 */
final class AggregateWindow implements WindowFunction {
    private final AggregateFunction function;
    private final boolean distinct;
    private @Nullable Accumulator states;
    private int lastGroup;

    AggregateWindow(AggregateFunction function, boolean distinct) {
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
            int start = rows.frameStarts()[row];
            int end = Math.max(start, rows.frameEnds()[row]);
            if (slot < 0 || !frame.is(start, end, rows.partitionStarts()[row])) {
                frame.moveTo(start, end, rows.partitionStarts()[row]);
                results.append(frame.accumulator.results(frame.group, 1), 0);
                slot++;
            }
            slots[row] = slot;
        }
        lastGroup = frame.group;
        return results.build().select(slots, slots.length);
    }

    /** A new accumulator, in whose first group are the earlier rows of a partition that goes on. */
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

    @Override
    public void close() {
        if (states != null) {
            states.close();
            states = null;
        }
    }

    /** What the current group of the accumulator holds: rows from start to end. */
    private final class Frame {
        private final Accumulator accumulator;
        private final Vector[] arguments;
        private int group;
        private int partition;
        private int start;
        private int end;

        /** @param goesOn whether the first group has rows of the first partition already */
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
            boolean grows = partition == newPartition && newStart == start && newEnd >= end && !distinct;
            boolean slides = partition == newPartition
                    && newStart >= start
                    && newStart <= end
                    && newEnd >= end
                    && accumulator.removable()
                    && !distinct;
            if (grows) {
                add(end, newEnd);
            } else if (slides) {
                accumulator.removeAll(group, part(start, newStart), newStart - start);
                add(end, newEnd);
            } else {
                group++;
                accumulator.ensureGroups(group + 1);
                add(newStart, newEnd);
            }
            start = newStart;
            end = newEnd;
            partition = newPartition;
        }

        private void add(int from, int to) {
            if (from >= to) {
                return;
            }
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
        }

        private Vector[] part(int from, int to) {
            Vector[] part = new Vector[arguments.length];
            for (int i = 0; i < part.length; i++) {
                part[i] = arguments[i].slice(from, to - from);
            }
            return part;
        }

        private static int different(Vector[] part, int[] positions) {
            Set<List<Datum>> seen = new HashSet<>();
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
