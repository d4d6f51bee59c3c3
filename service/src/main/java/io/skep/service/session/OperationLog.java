package io.skep.service.session;

import java.util.ArrayList;
import java.util.List;

/** What an operation tells its user while it runs; bounded, the oldest lines go first. */
final class OperationLog {
    private static final int MOST_LINES = 10_000;

    private final List<String> lines = new ArrayList<>();
    private int read;

    synchronized void add(String line) {
        if (lines.size() == MOST_LINES) {
            lines.removeFirst();
            read = Math.max(0, read - 1);
        }
        lines.add(line);
    }

    synchronized List<String> read(int most, boolean fromStart) {
        if (fromStart) {
            read = 0;
        }
        int end = Math.min(lines.size(), read + most);
        List<String> part = List.copyOf(lines.subList(read, end));
        read = end;
        return part;
    }
}
