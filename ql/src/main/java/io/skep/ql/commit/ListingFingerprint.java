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
 * What a query found in the folders that it listed: for each folder 128 bits of the SHA-256 of the names and versions of its
 * files, so that nobody finds file names under which two listings look alike. Belongs to the query's thread.
 */
final class ListingFingerprint implements SplitEnumerator.Seen {
    /** Of one folder. */
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

    /** Forgets a listing that was disturbed. */
    void clear() {
        places.clear();
        sha256.reset();
        torn = false;
    }

    /** Of a folder without files. */
    static Digest empty() {
        return digest(sha256());
    }

    private static Digest digest(MessageDigest sha256) {
        ByteBuffer bytes = ByteBuffer.wrap(sha256.digest());
        return new Digest(bytes.getLong(), bytes.getLong());
    }

    /** By location. */
    Map<String, Digest> places() {
        return places;
    }

    /** Whether a folder that was listed twice was another one the second time. */
    boolean isTorn() {
        return torn;
    }

    @Override
    public void listed(String location, List<FileEntry> files) {
        for (FileEntry file : files) {
            FileVersion version = file.version();
            String path = version.path();
            // What all paths of the folder have in common need not be looked at.
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
