package io.skep.ql.commit;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.storage.acid.TableSnapshot;
import io.skep.storage.file.FileKey;
import io.skep.storage.file.FileShell;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Operations on the files of tables that statements need: reading, moving and counting. Paths are absolute and have a
 * scheme.
 */
public interface TableFiles {
    /**
     * A file of a table.
     *
     * @param modificationTime milliseconds since 1970
     */
    record TableFile(String path, long length, long modificationTime) {}

    /**
     * Returns the splits of a table without partitions.
     *
     * @param snapshot what is read of a transactional table; empty for others
     */
    List<Split> splits(Table table, Optional<TableSnapshot> snapshot, SplitEnumerator.Seen seen);

    /** Returns the splits of some partitions. */
    List<Split> splits(
            Table table, List<Partition> partitions, Optional<TableSnapshot> snapshot, SplitEnumerator.Seen seen);

    /** Returns the absolute path with its scheme. A path without a scheme belongs to the default file system. */
    String qualified(String path);

    /** As above, but a path without a scheme is local to the server's machine. */
    String local(String path);

    boolean exists(String path);

    void makeDirectory(String path);

    /** Creates a small file. It must not exist; its folder is created. */
    void create(String path, byte[] content);

    /** Deletes a file, or a folder with all its contents. Does nothing when the path does not exist. */
    void delete(String path);

    /** As above, but moves to the trash if the file system has one. */
    void discard(String path);

    /** Returns the visible files at or below a path. */
    List<TableFile> files(String path);

    /** Returns the visible folders directly in a folder. */
    List<String> folders(String path);

    /** Whether a file can be moved from one path to the other: both are on one file system, and on one local disk. */
    boolean movable(String from, String to);

    /** Moves a file by a rename alone. The target's folder must exist, and the target must not exist. */
    void move(String from, String to);

    /** Whether a file in a table's format stores identifiers of its rows. */
    boolean storesRowIds(String path, Table table);

    /**
     * Returns the columns that a file itself describes.
     *
     * @throws io.skep.common.error.SkepException MISSING_FILE, or CORRUPT_FILE when the file is of another format
     */
    List<Column> describedColumns(String path, TableFormat format);

    /** Returns the commands of Hadoop's shell, for the command {@code dfs}. */
    FileShell shell();

    /** Returns the first bytes of a file; fewer when the file is shorter. */
    byte[] head(String path, int count);

    /** Copies a file. */
    void copy(String from, String to);

    /** Whether RCFiles can become one whose row groups are theirs: they are compressed alike. */
    boolean isConcatenable(List<String> rcFiles);

    /** Writes one RCFile with the row groups of others, as these are stored. */
    void concatenate(List<String> rcFiles, String to);

    /**
     * Returns the key that distinguishes a file from any other file that gets its name. Empty when the path does not
     * exist.
     */
    Optional<FileKey> key(String path);

    /** Returns the names of all direct entries of a folder, hidden or not. */
    Set<String> names(String folder);

    /** Forces a local file, or a local folder's entries, to the disk. */
    void force(String path);

    /** Moves a file to the trash under its former path, or deletes it when there is no trash. */
    void discard(String path, String former);

    /**
     * Returns those of a folder and the folders above it that do not exist, topmost first, if its file system has
     * owners of files.
     */
    List<String> missingFolders(String folder);

    /** Returns the owner of a file or folder; empty if it does not exist or its file system has no owners. */
    Optional<String> owner(String path);

    /**
     * Gives a file or folder to a user. Does nothing where the file system has no owners.
     *
     * @throws io.skep.common.error.SkepException ACCESS_DENIED when the server may not
     */
    void give(String path, String user);

    /** Deletes an empty folder. A folder that is not empty stays. */
    void deleteEmpty(String folder);
}
