package io.skep.storage.serde.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/** Avro's decoder for the bytes of a block. It checks lengths and item counts against the remaining bytes. */
final class AvroDecoder extends Decoder {
    /**
     * The maximum number of list items that may use no bytes, such as nulls. Larger numbers are checked against the
     * remaining bytes.
     */
    private static final int FREE_ITEMS = 1 << 10;

    private final BinaryDecoder in;

    AvroDecoder(byte[] block) {
        this.in = DecoderFactory.get().binaryDecoder(block, null);
    }

    boolean isEnd() throws IOException {
        return in.isEnd();
    }

    /** @param claimed the claimed number of bytes */
    int length(long claimed) throws IOException {
        int left = in.inputStream().available();
        if (claimed < 0 || claimed > left) {
            throw new IOException("value of " + claimed + " bytes where " + left + " are left");
        }
        return (int) claimed;
    }

    private long items(long claimed) throws IOException {
        int left = in.inputStream().available();
        if (claimed < 0 || claimed > Math.max(left, FREE_ITEMS)) {
            throw new IOException(claimed + " items where " + left + " bytes are left");
        }
        return claimed;
    }

    private byte[] bytes() throws IOException {
        byte[] bytes = new byte[length(in.readLong())];
        in.readFixed(bytes);
        return bytes;
    }

    @Override
    public Utf8 readString(@Nullable Utf8 old) throws IOException {
        return new Utf8(bytes());
    }

    @Override
    public String readString() throws IOException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void skipString() throws IOException {
        skipBytes();
    }

    @Override
    public ByteBuffer readBytes(@Nullable ByteBuffer old) throws IOException {
        return ByteBuffer.wrap(bytes());
    }

    @Override
    public void skipBytes() throws IOException {
        in.skipFixed(length(in.readLong()));
    }

    @Override
    public long readArrayStart() throws IOException {
        return items(in.readArrayStart());
    }

    @Override
    public long arrayNext() throws IOException {
        return items(in.arrayNext());
    }

    @Override
    public long skipArray() throws IOException {
        return items(in.skipArray());
    }

    @Override
    public long readMapStart() throws IOException {
        return items(in.readMapStart());
    }

    @Override
    public long mapNext() throws IOException {
        return items(in.mapNext());
    }

    @Override
    public long skipMap() throws IOException {
        return items(in.skipMap());
    }

    @Override
    public void readNull() throws IOException {
        in.readNull();
    }

    @Override
    public boolean readBoolean() throws IOException {
        return in.readBoolean();
    }

    @Override
    public int readInt() throws IOException {
        return in.readInt();
    }

    @Override
    public long readLong() throws IOException {
        return in.readLong();
    }

    @Override
    public float readFloat() throws IOException {
        return in.readFloat();
    }

    @Override
    public double readDouble() throws IOException {
        return in.readDouble();
    }

    @Override
    public void readFixed(byte[] bytes, int start, int length) throws IOException {
        in.readFixed(bytes, start, length);
    }

    @Override
    public void skipFixed(int length) throws IOException {
        in.skipFixed(length(length));
    }

    @Override
    public int readEnum() throws IOException {
        return in.readEnum();
    }

    @Override
    public int readIndex() throws IOException {
        return in.readIndex();
    }
}
