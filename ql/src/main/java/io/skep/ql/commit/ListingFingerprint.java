package io.skep.ql.commit;

import io.skep.storage.file.FileEntry;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.FileVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A fingerprint of the folders that a query listed. For each folder it contains 128 bits of the SHA-256 of the names
 * and versions of its files. So file names cannot be constructed for which two listings have the same fingerprint.
 * Belongs to the query's thread.
 */
final class ListingFingerprint implements SplitEnumerator.Seen {
    /** The digest of one folder. */
    record Digest(long high, long low) {}

    private static final int VERSION_BYTES = 3 * Long.BYTES;

    private final Map<String, Digest> places = new HashMap<>();
    private final MessageDigest sha256 = sha256();
    private final ByteBuffer numbers = ByteBuffer.allocate(Integer.BYTES + VERSION_BYTES);
    private boolean torn;

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Discards a listing that was disturbed. */
    void clear() {
        places.clear();
        sha256.reset();
        torn = false;
    }

    /** Returns the digest of a folder without files. */
    static Digest empty() {
        return digest(sha256());
    }

    private static Digest digest(MessageDigest sha256) {
        ByteBuffer bytes = ByteBuffer.wrap(sha256.digest());
        return new Digest(bytes.getLong(), bytes.getLong());
    }

    /** Returns the digests by location. */
    Map<String, Digest> places() {
        return places;
    }

    /** Whether a folder that was listed twice differed the second time. */
    boolean isTorn() {
        return torn;
    }

    @Override
    public void listed(String location, List<FileEntry> files) {
        for (FileEntry file : files) {
            FileVersion version = file.version();
            String path = version.path();
            // The common prefix of all paths of the folder is skipped.
            String name = path.startsWith(location) ? path.substring(location.length()) : path;
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            numbers.clear()
                    .putInt(text.length)
                    .putLong(version.length())
                    .putLong(version.modificationTime())
                    .putLong(version.identity());
            sha256.update(numbers.array());
            sha256.update(text);
        }
        Digest digest = digest(sha256);
        Digest before = places.put(location, digest);
        torn |= before != null && !before.equals(digest);
    }
}
