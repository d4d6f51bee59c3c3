package io.skep.llap.client;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of a plan on its way to a daemon. A daemon in the same process uses the object itself, which does not change
 * any more. Other daemons get its bytes, which are encoded only when they are needed.
 */
public final class LazyEncoded {
    private final @Nullable Object content;
    private final Supplier<byte[]> encoding;
    private volatile byte @Nullable [] encoded;

    private LazyEncoded(@Nullable Object content, Supplier<byte[]> encoding) {
        this.content = content;
        this.encoding = encoding;
    }

    /**
     * @param content immutable
     * @param encoding the bytes that {@link #open} decodes
     */
    public static LazyEncoded of(Object content, Supplier<byte[]> encoding) {
        return new LazyEncoded(content, encoding);
    }

    public static LazyEncoded ofBytes(byte[] bytes) {
        return new LazyEncoded(null, () -> bytes);
    }

    /** Returns the bytes, which must not be changed. They are kept and sent to any number of daemons. */
    public byte[] bytes() {
        byte[] known = encoded;
        if (known == null) {
            known = encoding.get();
            encoded = known;
        }
        return known;
    }

    /** Returns the content. */
    public <T> T open(Class<T> type, Function<byte[], T> decoding) {
        return type.isInstance(content) ? type.cast(content) : decoding.apply(bytes());
    }
}
