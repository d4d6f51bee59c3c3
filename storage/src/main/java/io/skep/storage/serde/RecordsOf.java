package io.skep.storage.serde;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.RecordReader;
import org.jspecify.annotations.Nullable;

/** Records of one reader. It holds back as many records as the table skips at the end. */
final class RecordsOf<K, V> implements Records {
    private final RecordReader<K, V> reader;
    private final Supplier<V> values;
    private final int footer;
    private final Deque<V> heldBack = new ArrayDeque<>();
    private int headerLeft;
    private @Nullable V free;

    /** @param values creates objects that the reader fills */
    RecordsOf(RecordReader<K, V> reader, Supplier<V> values, int header, int footer) {
        this.reader = reader;
        this.values = values;
        this.headerLeft = header;
        this.footer = footer;
    }

    @Override
    public @Nullable Writable next() throws IOException {
        for (; headerLeft > 0; headerLeft--) {
            if (read() == null) {
                return null;
            }
        }
        while (heldBack.size() <= footer) {
            V value = read();
            if (value == null) {
                return null;
            }
            free = null;
            heldBack.addLast(value);
        }
        V first = heldBack.removeFirst();
        free = first;
        return (Writable) first;
    }

    private @Nullable V read() throws IOException {
        V value = free == null ? values.get() : free;
        free = value;
        return reader.next(reader.createKey(), value) ? value : null;
    }

    @Override
    public long position() throws IOException {
        return reader.getPos();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
