package io.skep.llap.server.cache;

import io.skep.storage.table.FileVersion;

/**
 * One column of one row group of one content of a file.
 *
 * @param schema fingerprint of the format and columns that the file is read with, for the same bytes read otherwise are other
 *     values
 * @param column ordinal of the file's columns
 */
public record ChunkKey(FileVersion file, long schema, int column, int rowGroup) {
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /**
     * Equal keys have equal ones, and those of neighbours have nothing in common: a record's own hash gives (1, 0) and (0, 31)
     * the same.
     */
    public long fingerprint() {
        long hash = mix(SPREAD, file.path().hashCode());
        hash = mix(hash, file.length());
        hash = mix(hash, file.modificationTime());
        hash = mix(hash, file.identity());
        hash = mix(hash, schema);
        return mix(hash, (long) column << 32 | rowGroup & 0xFFFFFFFFL);
    }

    /** The same for all versions of a file. */
    long place() {
        long hash = mix(mix(SPREAD, file.path().hashCode()), schema);
        return mix(hash, (long) column << 32 | rowGroup & 0xFFFFFFFFL);
    }

    /** Differs between versions of a file, but for one pair in four billion. */
    int version() {
        return (int) (mix(mix(mix(SPREAD, file.length()), file.modificationTime()), file.identity()) >>> 32);
    }

    private static long mix(long hash, long value) {
        long mixed = (hash ^ value) * SPREAD;
        return mixed ^ mixed >>> 32;
    }

    @Override
    public int hashCode() {
        return (int) fingerprint();
    }
}
