package io.skep.metastore;

import java.util.Map;

/** What becomes of the files of a table or partition that is dropped, where they are the table's to delete. */
public enum DroppedFiles {
    /** They stay where they are. */
    KEPT,
    /**
     * They go to the trash of their file system where the site has one (fs.trash.interval), unless the table says
     * auto.purge.
     */
    TRASHED,
    /** They are deleted. */
    PURGED;

    private static final String AUTO_PURGE = "auto.purge";

    /** For a statement that drops, with or without PURGE. */
    public static DroppedFiles by(boolean purge) {
        return purge ? PURGED : TRASHED;
    }

    /** Whether files that a table loses are deleted at once. */
    public static boolean isPurged(Map<String, String> tableProperties) {
        return "true".equalsIgnoreCase(tableProperties.get(AUTO_PURGE));
    }
}
