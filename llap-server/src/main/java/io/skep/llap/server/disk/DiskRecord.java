package io.skep.llap.server.disk;

import io.skep.llap.server.cache.ChunkKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The format of a chunk on disk: the CRC32C of its bytes (4), its whole key, its bytes. The key consists of the file's
 * length, modification time and identity and the part (8 each), the lengths of the path and of the column's canonical
 * form (4 each), the path in UTF-8 and the canonical form.
 */
final class DiskRecord {
    private static final int CHECKSUM_BYTES = 4;
    private static final int FIXED_BYTES = CHECKSUM_BYTES + 4 * 8 + 2 * 4;

    private DiskRecord() {}

    /** Returns everything that precedes the bytes. */
    static byte[] header(ChunkKey key, int checksum) {
        byte[] path = key.file().path().getBytes(StandardCharsets.UTF_8);
        byte[] column = key.column().canonical();
        return ByteBuffer.allocate(FIXED_BYTES + path.length + column.length)
                .putInt(checksum)
                .putLong(key.file().length())
                .putLong(key.file().modificationTime())
                .putLong(key.file().identity())
                .putLong(key.part())
                .putInt(path.length)
                .putInt(column.length)
                .put(path)
                .put(column)
                .array();
    }

    /**
     * Returns the bytes of a record. Returns null when the record belongs to another key, or its bytes do not match the
     * checksum.
     */
    static byte @Nullable [] bytes(byte[] record, ChunkKey key) {
        byte[] header = header(key, 0);
        if (record.length < header.length
                || !Arrays.equals(record, CHECKSUM_BYTES, header.length, header, CHECKSUM_BYTES, header.length)) {
            return null;
        }
        CRC32C crc = new CRC32C();
        crc.update(record, header.length, record.length - header.length);
        if ((int) crc.getValue() != ByteBuffer.wrap(record).getInt()) {
            return null;
        }
        return Arrays.copyOfRange(record, header.length, record.length);
    }
}
