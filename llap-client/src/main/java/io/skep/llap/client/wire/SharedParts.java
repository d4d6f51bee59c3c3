package io.skep.llap.client.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts of a message that its frames refer to by index. Used by one thread. */
final class SharedParts<T> {
    private final Map<T, Integer> indexes = new HashMap<>();
    private final Consumer<T> write;

    /** Most often the next frame refers to the same part, whose hash may be costly. */
    private @Nullable T last;

    private int lastIndex;

    /** @param write appends a part to the message */
    SharedParts(Consumer<T> write) {
        this.write = write;
    }

    /** Returns the index of a part, which is written the first time. */
    int index(T part) {
        if (!part.equals(last)) {
            Integer known = indexes.get(part);
            lastIndex = known == null ? append(part) : known;
            last = part;
        }
        return lastIndex;
    }

    private int append(T part) {
        write.accept(part);
        int index = indexes.size();
        indexes.put(part, index);
        return index;
    }
}
