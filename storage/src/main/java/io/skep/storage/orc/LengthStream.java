package io.skep.storage.orc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.orc.impl.InStream;
import org.apache.orc.impl.PositionProvider;

/**
 * A stream of lengths, which ORC's readers sum up to allocate memory. Each run is read twice. This class reads it first
 * and checks its sum against the bound, then ORC reads it. Owned by one thread.
 */
final class LengthStream extends EndingStream {
    private final LengthRuns ahead;
    private final LengthBound bound;
    private long taken;

    /**
     * @param ahead reads a separate stream over the same lengths
     * @param bound the bound of the sums
     */
    LengthStream(Object name, InStream stream, LengthRuns ahead, LengthBound bound) {
        super(name, stream);
        this.ahead = ahead;
        this.bound = bound;
    }

    @Override
    public int read() throws IOException {
        take(1);
        return super.read();
    }

    @Override
    public int read(byte[] data, int from, int count) throws IOException {
        take(0);
        int some = super.read(data, from, count);
        taken += some;
        return some;
    }

    /** When a reader needs bytes past the last run that was summed, it begins the next run. */
    private void take(int count) throws IOException {
        while (taken == ahead.bytes()) {
            bound.add(ahead.next());
        }
        taken += count;
    }

    /** The positions of an index can be read only once, so they are recorded here and used for both streams. */
    @Override
    public void seek(PositionProvider index) throws IOException {
        List<Long> positions = new ArrayList<>();
        super.seek(() -> {
            long position = index.getNext();
            positions.add(position);
            return position;
        });
        ahead.seek(positions.iterator()::next);
        taken = 0;
    }
}
