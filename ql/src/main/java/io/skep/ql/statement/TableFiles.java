package io.skep.ql.statement;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import java.util.List;

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

    /** Whether a file can be moved from one path to the other: both are on one file system. */
    boolean movable(String from, String to);

    /** Moves a file; the target's folder is made, and nothing may be at the target. */
    void move(String from, String to);

    /** The first bytes of a file, fewer when it is shorter. */
    byte[] head(String path, int count);

    /** Copies a file. */
    void copy(String from, String to);
}
