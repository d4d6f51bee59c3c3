package io.skep.storage.compaction;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Merges the events of several files by their identifiers. A file is opened when the merge arrives at the first
 * identifier that it may contain. Files of different writes have no identifiers in common, so few are open at a time,
 * and their batches pass as they are. Belongs to one thread, which an interrupt ends with OPERATION_CANCELED.
 */
final class EventMerge implements AutoCloseable {
    /**
     * A file to merge.
     *
     * @param first no identifier of the file comes before
     * @param open opens the file
     */
    record Input(EventId first, String path, Supplier<EventSource> open) {}

    /** An open file, at its next event. */
    private static final class Head implements AutoCloseable {
        private final String path;
        private final EventSource source;
        private @Nullable EventBatch batch;
        private int position;
        private EventId id;

        Head(Input input) {
            this.path = input.path();
            this.id = input.first();
            this.source = input.open().get();
        }

        EventBatch batch() {
            EventBatch current = batch;
            if (current == null) {
                throw new IllegalStateException("no event is left");
            }
            return current;
        }

        /** Goes on behind the events until a position. Returns whether there is an event. */
        boolean advance(int to) {
            EventBatch current = batch;
            position = to;
            if (current == null || position == current.count()) {
                current = source.next();
                batch = current;
                position = 0;
            }
            if (current == null) {
                return false;
            }
            EventId next = current.id(position);
            if (next.compareTo(id) < 0) {
                throw new SkepException(
                                StandardErrorCode.CORRUPT_FILE,
                                "the rows of " + path + " are not sorted by their identifiers")
                        .withHint("restore the file from a copy");
            }
            id = next;
            return true;
        }

        @Override
        public void close() {
            source.close();
        }
    }

    private final ArrayDeque<Input> waiting;
    private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing((Head head) -> head.id));

    EventMerge(List<Input> inputs) {
        List<Input> sorted = new ArrayList<>(inputs);
        sorted.sort(Comparator.comparing(Input::first));
        this.waiting = new ArrayDeque<>(sorted);
    }

    /**
     * Passes all events on.
     *
     * @param target gets batches that are valid during the call
     */
    void run(Consumer<Batch> target) {
        openUntilSmallest();
        for (Head head = heads.poll(); head != null; head = heads.poll()) {
            Interruption.check();
            boolean more = false;
            try {
                int end = end(head);
                target.accept(head.batch().rows().slice(head.position, end - head.position));
                more = head.advance(end);
                if (more) {
                    heads.add(head);
                }
            } finally {
                if (!more) {
                    head.close();
                }
            }
            openUntilSmallest();
        }
    }

    /** Returns the end of the events that come before those of all other files. */
    private int end(Head head) {
        EventBatch batch = head.batch();
        int end = batch.count();
        Head next = heads.peek();
        if (next != null) {
            end = batch.firstAbove(next.id, head.position);
        }
        Input later = waiting.peek();
        return later == null ? end : Math.min(end, batch.firstAtLeast(later.first(), head.position));
    }

    /** Opens the files that may contain the next event. */
    private void openUntilSmallest() {
        for (Input next = waiting.peek(); next != null; next = waiting.peek()) {
            Head first = heads.peek();
            if (first != null && next.first().compareTo(first.id) > 0) {
                return;
            }
            waiting.remove();
            Head head = new Head(next);
            boolean more = false;
            try {
                more = head.advance(0);
                if (more) {
                    heads.add(head);
                }
            } finally {
                if (!more) {
                    head.close();
                }
            }
        }
    }

    @Override
    public void close() {
        heads.forEach(Head::close);
        heads.clear();
    }
}
