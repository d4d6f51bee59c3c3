package io.skep.storage.file;

import io.skep.storage.table.FileVersion;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/**
 * Files and folders, addressed by absolute URI text. Failures are SkepExceptions: MISSING_FILE, DISK_FULL,
 * ACCESS_DENIED, else FILE_SYSTEM_ERROR. Safe for use by many threads.
 */
public interface StorageFileSystem {
    /** A path with its file system: the default one for a path that begins with a slash. */
    String qualified(String path);

    Optional<FileEntry> find(String path);

    /** Like {@link #find}, but MISSING_FILE when there is nothing. */
    FileEntry status(String path);

    /** What a folder holds directly, by name; hidden entries are left out. Empty when there is no such folder. */
    List<FileEntry> list(String folder);

    /** All files below a folder, or the file itself, by path; whatever is hidden or in a hidden folder is left out. */
    List<FileEntry> listFiles(String folder);

    /**
     * The same for each of several folders; in few calls where the file system can. An interrupt ends it:
     * OPERATION_CANCELED.
     */
    List<List<FileEntry>> listFiles(List<String> folders);

    FileInput open(String path);

    /** Opens a version of a file; FILE_SYSTEM_ERROR when the file is another by now. */
    FileInput open(FileVersion file);

    /** Reads a file from its start to its end, decompressed as its name's extension says. */
    InputStream openDecompressed(FileVersion file);

    /** Creates a file, which must not exist, and the folders above it. */
    OutputStream create(String path);

    void makeFolder(String path);

    /** Moves a file or folder by its name alone; the target must not exist, the folder above it must. Never copies. */
    void rename(String from, String to);

    /** Deletes a file, or a folder with all that it holds; false when there was nothing. */
    boolean delete(String path);

    /** The same, but where the file system has a trash (fs.trash.interval) they go there. */
    boolean discard(String path);

    /**
     * Moves a file to the trash, as if it lay under another path, or deletes it where the file system has no trash.
     *
     * @param former the path that people know it by
     */
    boolean discard(String path, String former);

    /** Deletes a folder that holds nothing; one that holds something stays. */
    void deleteEmpty(String folder);

    /**
     * What tells a file from any other one that comes to have its name; empty when there is nothing. Links are not
     * followed.
     */
    Optional<FileKey> key(String path);

    /** Names of all that a folder holds directly, hidden or not; none when there is no such folder. */
    List<String> names(String folder);

    /**
     * Forces a closed file, or the entries of a folder, to the disk. Local files only: other file systems keep what was
     * closed, or were told to force it while it was written.
     */
    void force(String path);

    /** Fails when the file is no longer this version. */
    void verify(FileVersion file);

    /** Whether files of this name are compressed as a whole, by a codec that the extension names. */
    boolean compressed(String path);

    /** Names that Hive's readers pass over. */
    static boolean hidden(String name) {
        return name.startsWith("_") || name.startsWith(".");
    }
}
