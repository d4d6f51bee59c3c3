package io.skep.metastore;

import java.util.Map;

/** What happens to the files of a dropped table or partition, when the table owns them. */
public enum DroppedFiles {
    /** The files are kept. */
    KEPT,
    /**
     * The files are moved to the trash of their file system if the site has one (fs.trash.interval), unless the table
     * sets auto.purge.
     */
    TRASHED,
    /** The files are deleted. */
    PURGED;

    private static final String AUTO_PURGE = "auto.purge";

    /** Returns the choice for a DROP statement with or without PURGE. */
    public static DroppedFiles by(boolean purge) {
        return purge ? PURGED : TRASHED;
    }

    /** Whether files that a table loses are deleted immediately. */
    public static boolean isPurged(Map<String, String> tableProperties) {
        return "true".equalsIgnoreCase(tableProperties.get(AUTO_PURGE));
    }
}
