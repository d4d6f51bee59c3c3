package io.skep.metastore.commit;

import com.google.common.hash.Hashing;
import io.skep.metastore.MetastoreConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Marks of tables whose files a server is changing. A mark is a row of the table in which Hive stores properties of the
 * database. Therefore the schema stays Hive's, and no right to create tables is needed. The key names the table, which
 * makes marks exclusive. The value identifies the owner and shows that its server is alive. The content is the journal,
 * from which any server can complete or roll back the commit. All methods cost one or two round trips and fail with
 * METASTORE_ERROR. Thread-safe.
 */
public interface LeaseStore extends AutoCloseable {
    /** The prefix of the keys of marks. */
    String PREFIX = "skep.commit.";

    /** The prefix of the names of removal marks, before their commit's name. No table name starts with it. */
    String REMOVAL = ".removal.";

    /** The maximum key length in the database. */
    int LONGEST_KEY = 255;

    /**
     * Opens the marks. Connects on first use.
     *
     * @param server id of this server's data folder
     * @param place where this server runs, for users
     */
    static LeaseStore open(MetastoreConfig config, String url, String server, String place) {
        return DatabaseLeaseStore.open(config, url, server, place);
    }

    /** A table that is being changed. Its name is the result of {@link #keyOf}. */
    record Mark(String table, CommitOwner owner) {
        /** Whether the mark is of a remaining removal and does not block any table. */
        public boolean isRemoval() {
            return table.startsWith(REMOVAL);
        }
    }

    /**
     * All marks at one point in time.
     *
     * @param position position of the notification log at that time
     */
    record LeaseSnapshot(long position, List<Mark> marks) {
        public LeaseSnapshot {
            marks = List.copyOf(marks);
        }

        /** Returns the first mark of one of these tables. */
        public Optional<Mark> of(Set<String> tables) {
            return marks.stream().filter(mark -> tables.contains(mark.table())).findFirst();
        }
    }

    /** Returns the name of a table's mark: database and table, or a hash when these exceed the key length. */
    static String keyOf(String database, String table) {
        String name = database + "." + table;
        return PREFIX.length() + name.length() <= LONGEST_KEY
                ? name
                : Hashing.sha256().hashString(name, StandardCharsets.UTF_8).toString();
    }

    /** Returns this server as the owner of a commit that it begins. */
    CommitOwner owner(String commit);

    /** Returns this server as the owner of a commit that another server began. */
    CommitOwner takeOver(CommitOwner other);

    /** Whether this server carries out a commit, or did so before its restart. */
    boolean isOwn(CommitOwner owner);

    /** Whether this server began a commit, even when another server carries it out. */
    boolean isBegunByThisServer(CommitOwner owner);

    LeaseSnapshot snapshot();

    /** Marks all of the tables. Returns false and marks none when one of them is already marked. */
    boolean begin(Set<String> tables, CommitOwner owner);

    /**
     * Replaces one owner with another, for all tables at once. Returns false when the marks do not belong to the first
     * owner.
     */
    boolean replace(CommitOwner before, CommitOwner after);

    /** Writes the commit's journal. Returns false when the marks do not belong to this owner. */
    boolean write(CommitOwner owner, byte[] journal);

    /**
     * Returns the commit's journal. It is empty when it was not written yet, which means that the commit has done
     * nothing.
     */
    Optional<byte[]> journal(CommitOwner owner);

    /** Removes the marks. Returns false when they do not belong to this owner. */
    boolean end(CommitOwner owner);

    /**
     * Releases the table of a commit whose only remaining step is to delete dropped files. The mark and its journal
     * stop blocking the table.
     *
     * @return the owner of the remaining mark, empty when the mark does not belong to this owner
     */
    Optional<CommitOwner> releaseTable(CommitOwner owner);

    /** Whether the notification log contains a change of a table after a position. */
    boolean changed(String databaseName, String table, long position);

    @Override
    void close();
}
