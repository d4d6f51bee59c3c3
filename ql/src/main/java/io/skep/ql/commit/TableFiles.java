package io.skep.ql.commit;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.storage.file.FileKey;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The files of tables, as statements need them: to be read, moved and counted. Paths are absolute with scheme. */
public interface TableFiles {
    /**
     * A file of a table.
     *
     * @param modificationTime milliseconds since 1970
     */
    record TableFile(String path, long length, long modificationTime) {}

    /** The splits of a table without partitions. */
    List<Split> splits(Table table, SplitEnumerator.Seen seen);

    /** The splits of some partitions. */
    List<Split> splits(Table table, List<Partition> partitions, SplitEnumerator.Seen seen);

    /** A path with its scheme, made absolute; without one it is of the default file system. */
    String qualified(String path);

    /** The same for a path that, without a scheme, is one of the server's machine. */
    String local(String path);

    boolean exists(String path);

    void makeDirectory(String path);

    /** Deletes a file or a folder with all that is in it; nothing happens when it is not there. */
    void delete(String path);

    /** The same, but where the file system has a trash it goes there. */
    void discard(String path);

    /** Visible files at or below a path. */
    List<TableFile> files(String path);

    /** Visible folders directly in a folder. */
    List<String> folders(String path);

    /** Whether a file can be moved from one path to the other: both are on one file system, and on one local disk. */
    boolean movable(String from, String to);

    /** Moves a file by its name alone; the target's folder must be there, and nothing may be at the target. */
    void move(String from, String to);

    /** The first bytes of a file, fewer when it is shorter. */
    byte[] head(String path, int count);

    /** Copies a file. */
    void copy(String from, String to);

    /** What tells a file from any other one that comes to have its name; empty when nothing is there. */
    Optional<FileKey> key(String path);

    /** Names of all that a folder holds directly, hidden or not. */
    Set<String> names(String folder);

    /** Forces a local file, or a local folder's entries, to the disk. */
    void force(String path);

    /** Moves a file to the trash as if it lay under a former path, or deletes it where there is no trash. */
    void discard(String path, String former);

    /** Deletes a folder that holds nothing; one that holds something stays. */
    void deleteEmpty(String folder);
}
