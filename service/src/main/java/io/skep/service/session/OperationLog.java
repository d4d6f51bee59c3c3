package io.skep.service.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The log that an operation shows its user while it runs. It is bounded, and the oldest entries are dropped first. Most
 * logs are never read, so entries are converted to text only on reading.
 */
final class OperationLog {
    private static final int MAX_LINES = 10_000;

    @GuardedBy("this")
    private final List<Supplier<Stream<String>>> pending = new ArrayList<>();

    @GuardedBy("this")
    private final List<String> lines = new ArrayList<>();

    @GuardedBy("this")
    private int read;

    void add(String line) {
        addLines(() -> Stream.of(line));
    }

    /** @param more creates its lines once, when the log is read */
    synchronized void addLines(Supplier<Stream<String>> more) {
        pending.add(more);
        if (pending.size() >= MAX_LINES) {
            render();
        }
    }

    @GuardedBy("this")
    private void render() {
        for (Supplier<Stream<String>> more : pending) {
            lines.addAll(more.get().toList());
        }
        pending.clear();
        int surplus = lines.size() - MAX_LINES;
        if (surplus > 0) {
            lines.subList(0, surplus).clear();
            read = Math.max(0, read - surplus);
        }
    }

    synchronized List<String> read(int most, boolean fromStart) {
        render();
        if (fromStart) {
            read = 0;
        }
        int end = (int) Math.min(lines.size(), (long) read + most);
        List<String> part = List.copyOf(lines.subList(read, end));
        read = end;
        return part;
    }
}
