package io.skep.metastore.commit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.MetastoreConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Marks of tables that a server is changing the files of. A mark is a row of the table in which Hive keeps properties of the
 * database, so that its schema stays Hive's and no right to make tables is needed: the key names the table, which makes marks
 * exclusive; the value says whose it is and that its server lives; the content is the journal by which any server can end the commit.
 * All methods are a round trip or two and fail with METASTORE_ERROR. Safe for many threads.
 */
public final class CommitMarks implements AutoCloseable {
    private static final String PREFIX = "skep.commit.";
    private static final int LONGEST_KEY = 255;
    private static final int CONNECTIONS = 4;
    private static final long CONNECTION_MILLIS = 10_000;
    private static final String INTEGRITY = "23";

    private final HikariDataSource database;
    private final String server;
    private final String place;
    private final MarkSql sql;

    private CommitMarks(HikariDataSource database, String server, String place, MarkSql sql) {
        this.database = database;
        this.server = server;
        this.place = place;
        this.sql = sql;
    }

    /**
     * Connects when it is first used.
     *
     * @param server id of this server's data folder
     * @param place where this server runs, for people
     */
    public static CommitMarks open(MetastoreConfig config, String url, String server, String place) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("commits");
        pool.setJdbcUrl(url);
        config.user().ifPresent(pool::setUsername);
        config.password().ifPresent(pool::setPassword);
        config.driver().ifPresent(pool::setDriverClassName);
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setMinimumIdle(0);
        pool.setInitializationFailTimeout(-1);
        pool.setConnectionTimeout(CONNECTION_MILLIS);
        return new CommitMarks(new HikariDataSource(pool), server, place, MarkSql.of(url));
    }

    /** This server as the owner of a commit that it begins. */
    public CommitOwner owner(String commit) {
        return new CommitOwner(server, server, place, commit, 0);
    }

    /** This server as the owner of what another one began. */
    public CommitOwner taken(CommitOwner other) {
        return other.takenBy(server, place);
    }

    /** Whether this server works at a commit, or did so before it was started again. */
    public boolean isOwn(CommitOwner owner) {
        return owner.server().equals(server);
    }

    /** Whether a commit was begun by this server, whoever works at it now. */
    public boolean wasBegunHere(CommitOwner owner) {
        return owner.began().equals(server);
    }

    /** A table that is being changed; its name is what {@link #keyOf} makes of it. */
    public record Mark(String table, CommitOwner owner) {}

    /**
     * All marks at one moment.
     *
     * @param position of the notification log at that moment
     */
    public record Look(long position, List<Mark> marks) {
        public Look {
            marks = List.copyOf(marks);
        }

        /** The first mark of one of these tables. */
        public Optional<Mark> of(Set<String> tables) {
            return marks.stream().filter(mark -> tables.contains(mark.table())).findFirst();
        }
    }

    /** The name under which a table is marked: database and table, shortened where they are longer than a key may be. */
    public static String keyOf(String database, String table) {
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

    public Look look() {
        return with("look for commits", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.look());
                    ResultSet rows = statement.executeQuery()) {
                long position = 0;
                List<Mark> marks = new ArrayList<>();
                while (rows.next()) {
                    String key = rows.getString(2);
                    if (key == null) {
                        // The number that the next event gets.
                        position = rows.getLong(1) - 1;
                    } else {
                        CommitOwner.parse(rows.getString(3))
                                .ifPresent(owner -> marks.add(new Mark(key.substring(PREFIX.length()), owner)));
                    }
                }
                return new Look(position, marks);
            }
        });
    }

    /** Marks all of the tables; false when one is marked already, and then none is. */
    public boolean begin(Set<String> tables, CommitOwner owner) {
        return with("begin a commit", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.begin(tables.size()))) {
                int parameter = 1;
                for (String table : tables) {
                    statement.setString(parameter++, PREFIX + table);
                    statement.setString(parameter++, owner.text());
                }
                statement.executeUpdate();
                return true;
            } catch (SQLException e) {
                if (e.getSQLState() != null && e.getSQLState().startsWith(INTEGRITY)) {
                    return false;
                }
                throw e;
            }
        });
    }

    /** Makes one owner another, all tables at once; false when the marks are no longer the first one's. */
    public boolean replace(CommitOwner before, CommitOwner after) {
        return with("go on with a commit", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.replace())) {
                statement.setString(1, after.text());
                statement.setString(2, before.text());
                return statement.executeUpdate() > 0;
            }
        });
    }

    /** Writes down what the commit does; false when the marks are no longer this owner's. */
    public boolean write(CommitOwner owner, byte[] journal) {
        return with("write a commit's journal", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.write())) {
                statement.setBytes(1, journal);
                statement.setString(2, owner.text());
                return statement.executeUpdate() > 0;
            }
        });
    }

    /** What the commit does; empty when that was not written yet, so that nothing has been done. */
    public Optional<byte[]> journal(CommitOwner owner) {
        return with("read a commit's journal", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.read())) {
                statement.setString(1, owner.text());
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? Optional.ofNullable(rows.getBytes(1)) : Optional.empty();
                }
            }
        });
    }

    /** Takes the marks away; false when they were no longer this owner's. */
    public boolean end(CommitOwner owner) {
        return with("end a commit", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.end())) {
                statement.setString(1, owner.text());
                return statement.executeUpdate() > 0;
            }
        });
    }

    /** Whether the notification log has a change of a table behind a position. */
    public boolean changed(String databaseName, String table, long position) {
        return with("look for changes", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.changed())) {
                statement.setLong(1, position);
                statement.setString(2, databaseName);
                statement.setString(3, table);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() && rows.getLong(1) > 0;
                }
            }
        });
    }

    @FunctionalInterface
    private interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private <T> T with(String what, Work<T> work) {
        try (Connection connection = database.getConnection()) {
            return work.in(connection);
        } catch (SQLException e) {
            throw new SkepException(
                    StandardErrorCode.METASTORE_ERROR, "the metastore failed to " + what + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
