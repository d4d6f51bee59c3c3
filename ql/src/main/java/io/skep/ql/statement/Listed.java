package io.skep.ql.statement;

import io.skep.storage.file.FileEntry;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.FileVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a query found in the folders that it listed, as a fingerprint of each. Belongs to the query's thread. */
final class Listed implements SplitEnumerator.Seen {
    static final long EMPTY = 0x9E37_79B9_7F4A_7C15L;

    private final Map<String, Long> places = new HashMap<>();
    private boolean torn;

    /** By location. */
    Map<String, Long> places() {
        return places;
    }

    /** Whether a folder that was listed twice was another one the second time. */
    boolean isTorn() {
        return torn;
    }

    @Override
    public void listed(String location, List<FileEntry> files) {
        long fingerprint = EMPTY;
        for (FileEntry file : files) {
            FileVersion version = file.version();
            String path = version.path();
            // What all paths of the folder have in common need not be looked at.
            for (int i = path.startsWith(location) ? location.length() : 0; i < path.length(); i++) {
                fingerprint = mixed(fingerprint, path.charAt(i));
            }
            fingerprint = mixed(fingerprint, version.length());
            fingerprint = mixed(fingerprint, version.modificationTime());
            fingerprint = mixed(fingerprint, version.identity());
        }
        Long before = places.put(location, fingerprint);
        torn |= before != null && before != fingerprint;
    }

    private static long mixed(long hash, long value) {
        long mixed = (hash ^ value) * 0xFF51_AFD7_ED55_8CCDL;
        return mixed ^ (mixed >>> 32);
    }
}
