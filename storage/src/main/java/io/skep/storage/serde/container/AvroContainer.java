package io.skep.storage.serde.container;

import io.skep.storage.file.FileInput;
import io.skep.storage.file.RecordLimit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The header and the blocks of an <a
 * href="https://avro.apache.org/docs/1.12.0/specification/#object-container-files">Avro file</a>. Avro's own reader
 * allocates the sizes that these claim. Owned by one thread.
 */
final class AvroContainer implements AutoCloseable {
    /**
     * A block of encoded records.
     *
     * @param records the number of records that the block claims
     */
    record Block(long records, byte[] bytes) {}

    private static final byte[] MAGIC = {'O', 'b', 'j', 1};

    private final BoundedInput in;
    private final String path;
    private final RecordLimit limit;
    private final Map<String, byte[]> metadata = new HashMap<>();
    private final SyncedInput marks;
    private final AvroCodec codec;

    /** @param file is closed together with this object */
    AvroContainer(FileInput file, String path, RecordLimit limit) throws IOException {
        this.in = BoundedInput.of(file);
        this.marks = new SyncedInput(in);
        this.path = path;
        this.limit = limit;
        if (!Arrays.equals(in.readBytes(MAGIC.length, "head"), MAGIC)) {
            throw new IOException("it is no Avro file");
        }
        readMetadata();
        marks.readMark();
        codec = AvroCodec.named(metadata("avro.codec").orElse("null"), path);
    }

    /**
     * The metadata consists of groups of pairs, each after its count. After a negative count follows the group's size
     * in bytes.
     */
    private void readMetadata() throws IOException {
        for (long pairs = in.readZigZag(); pairs != 0; pairs = in.readZigZag()) {
            if (pairs < 0) {
                in.readZigZag();
            }
            int count = in.count(Math.abs(pairs), "metadata");
            for (int i = 0; i < count; i++) {
                String key = new String(in.readBytes(in.readZigZag(), "key of metadata"), StandardCharsets.UTF_8);
                metadata.put(key, in.readBytes(in.readZigZag(), "value of metadata"));
            }
        }
    }

    Optional<String> metadata(String key) {
        return Optional.ofNullable(metadata.get(key)).map(value -> new String(value, StandardCharsets.UTF_8));
    }

    /** Returns empty at the end of the file. */
    Optional<Block> next() throws IOException {
        if (in.left() == 0) {
            return Optional.empty();
        }
        long records = in.readZigZag();
        if (records < 0) {
            throw new IOException("block of " + records + " records at " + in.position());
        }
        byte[] packed = in.readBytes(in.readZigZag(), "block");
        marks.checkMark();
        return Optional.of(new Block(records, codec.unpack(packed, limit, "a block of " + path)));
    }

    long position() {
        return in.position();
    }

    float progress() {
        return in.progress();
    }

    @Override
    public void close() {
        in.close();
    }
}
