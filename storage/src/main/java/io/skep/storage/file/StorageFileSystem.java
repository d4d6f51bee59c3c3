package io.skep.storage.file;

import io.skep.storage.table.FileVersion;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/**
 * Accesses files and folders by the text of their absolute URIs. Failures are SkepExceptions: MISSING_FILE, DISK_FULL,
 * ACCESS_DENIED, else FILE_SYSTEM_ERROR. Thread-safe.
 */
public interface StorageFileSystem {
    /** Returns a path with its file system. A path that begins with a slash gets the default file system. */
    String qualified(String path);

    /** Returns the commands of Hadoop's shell over the same file systems. */
    FileShell shell();

    Optional<FileEntry> find(String path);

    /** Like {@link #find}, but fails with MISSING_FILE when the path does not exist. */
    FileEntry status(String path);

    /**
     * Returns the direct entries of a folder, sorted by name and without hidden entries. Returns none when the folder
     * does not exist.
     */
    List<FileEntry> list(String folder);

    /**
     * Returns all files below a folder, or the file itself, sorted by path. Hidden files and files in hidden folders
     * are left out.
     */
    List<FileEntry> listFiles(String folder);

    /**
     * Returns the same for each of several folders, in few calls where the file system supports that. An interrupt
     * cancels the listing with OPERATION_CANCELED.
     */
    List<List<FileEntry>> listFiles(List<String> folders);

    /** Returns the same files, and the folders that contain them or are empty, except hidden ones. */
    List<List<FileEntry>> listTrees(List<String> folders);

    FileInput open(String path);

    /** Opens a version of a file. Fails with FILE_SYSTEM_ERROR when the file has changed since. */
    FileInput open(FileVersion file);

    /** Reads a file from its start to its end. It is decompressed by the codec of its name's extension. */
    InputStream openDecompressed(FileVersion file);

    /** Creates a file and the folders above it. The file must not exist. */
    OutputStream create(String path);

    void makeFolder(String path);

    /** Renames a file or folder. The target must not exist, and its parent folder must exist. Never copies data. */
    void rename(String from, String to);

    /** Deletes a file, or a folder with its content. Returns false when the path does not exist. */
    boolean delete(String path);

    /**
     * Deletes a file or folder like delete, but moves the files to the trash when the file system has one
     * (fs.trash.interval).
     */
    boolean discard(String path);

    /**
     * Moves a file to the trash under the location of another path. Deletes it when the file system has no trash.
     *
     * @param former the path that users know the file by
     */
    boolean discard(String path, String former);

    /** Deletes an empty folder. A folder that is not empty stays. */
    void deleteEmpty(String folder);

    /**
     * Returns a key that distinguishes a file from any later file of the same name. Returns empty when the path does
     * not exist. Links are not followed.
     */
    Optional<FileKey> key(String path);

    /**
     * Returns the names of all direct entries of a folder, including hidden ones. Returns none when the folder does not
     * exist.
     */
    List<String> names(String folder);

    /**
     * Forces a closed file, or the entries of a folder, to disk. Only local files need it. Other file systems keep a
     * closed file, or forced it while it was written.
     */
    void force(String path);

    /** Returns the owner of a file or folder; empty if it does not exist or the file system has no owners. */
    Optional<String> owner(String path);

    /**
     * Gives a file or folder to a user. Does nothing where the file system has no owners. Fails with ACCESS_DENIED when
     * the process is not a superuser of the file system.
     */
    void give(String path, String user);

    /** Fails when the file is not at this version. */
    void verify(FileVersion file);

    /** Whether files of this name are compressed as a whole, by the codec of the name's extension. */
    boolean compressed(String path);

    /** Whether Hive's readers skip files of this name. */
    static boolean hidden(String name) {
        return name.startsWith("_") || name.startsWith(".");
    }
}
