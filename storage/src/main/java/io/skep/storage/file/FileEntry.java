package io.skep.storage.file;

import io.skep.storage.table.FileVersion;

/** A file or folder as returned by a listing. */
public record FileEntry(FileVersion version, boolean folder) {
    public String path() {
        return version.path();
    }

    /** Returns the last part of the path. */
    public String name() {
        String path = version.path();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
