package io.skep.metastore.commit;

import io.skep.metastore.MetastoreConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Marks of tables that a server is changing the files of. A mark is a row of the table in which Hive keeps properties
 * of the database, so that its schema stays Hive's and no right to make tables is needed: the key names the table,
 * which makes marks exclusive; the value says whose it is and that its server lives; the content is the journal by
 * which any server can end the commit. All methods are a round trip or two and fail with METASTORE_ERROR. Safe for many
 * threads.
 */
public interface CommitMarks extends AutoCloseable {
    /** What keys of marks begin with. */
    String PREFIX = "skep.commit.";

    /** What marks of removals are called, before their commit's name; no table is called so. */
    String REMOVAL = ".removal.";

    /** The length that the database allows. */
    int LONGEST_KEY = 255;

    /**
     * Connects when it is first used.
     *
     * @param server id of this server's data folder
     * @param place where this server runs, for people
     */
    static CommitMarks open(MetastoreConfig config, String url, String server, String place) {
        return DatabaseMarks.open(config, url, server, place);
    }

    /** A table that is being changed; its name is what {@link #keyOf} makes of it. */
    record Mark(String table, CommitOwner owner) {
        /** Whether it is of a removal that was left, and closes no table. */
        public boolean isRemoval() {
            return table.startsWith(REMOVAL);
        }
    }

    /**
     * All marks at one moment.
     *
     * @param position of the notification log at that moment
     */
    record Look(long position, List<Mark> marks) {
        public Look {
            marks = List.copyOf(marks);
        }

        /** The first mark of one of these tables. */
        public Optional<Mark> of(Set<String> tables) {
            return marks.stream().filter(mark -> tables.contains(mark.table())).findFirst();
        }
    }

    /**
     * The name under which a table is marked: database and table, shortened where they are longer than a key may be.
     */
    static String keyOf(String database, String table) {
        String name = database + "." + table;
        if (PREFIX.length() + name.length() <= LONGEST_KEY) {
            return name;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** This server as the owner of a commit that it begins. */
    CommitOwner owner(String commit);

    /** This server as the owner of what another one began. */
    CommitOwner taken(CommitOwner other);

    /** Whether this server works at a commit, or did so before it was started again. */
    boolean isOwn(CommitOwner owner);

    /** Whether a commit was begun by this server, whoever works at it now. */
    boolean wasBegunHere(CommitOwner owner);

    Look look();

    /** Marks all of the tables; false when one is marked already, and then none is. */
    boolean begin(Set<String> tables, CommitOwner owner);

    /** Makes one owner another, all tables at once; false when the marks are no longer the first one's. */
    boolean replace(CommitOwner before, CommitOwner after);

    /** Writes down what the commit does; false when the marks are no longer this owner's. */
    boolean write(CommitOwner owner, byte[] journal);

    /** What the commit does; empty when that was not written yet, so that nothing has been done. */
    Optional<byte[]> journal(CommitOwner owner);

    /** Takes the marks away; false when they were no longer this owner's. */
    boolean end(CommitOwner owner);

    /**
     * Frees the table of a commit all that is left of which is to delete what was dropped: the mark, with the journal,
     * is no longer the table's.
     *
     * @return its owner, empty when the mark is no longer this owner's
     */
    Optional<CommitOwner> leave(CommitOwner owner);

    /** Whether the notification log has a change of a table behind a position. */
    boolean changed(String databaseName, String table, long position);

    @Override
    void close();
}
