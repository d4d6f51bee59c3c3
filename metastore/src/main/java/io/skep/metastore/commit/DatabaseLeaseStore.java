package io.skep.metastore.commit;

import com.google.common.util.concurrent.Uninterruptibles;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.MetastoreConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Stores marks in the table in which Hive stores properties of the database. An interrupt of the calling thread does
 * not affect writes. It would break the connection and leave a mark that no server knows about.
 */
final class DatabaseLeaseStore implements LeaseStore {
    private static final System.Logger LOG = System.getLogger(DatabaseLeaseStore.class.getName());
    private static final int CONNECTIONS = 4;
    private static final long CONNECTION_MILLIS = 10_000;
    private static final String INTEGRITY = "23";

    private final HikariDataSource database;
    private final String server;
    private final String place;
    private final LeaseSql sql;

    private DatabaseLeaseStore(HikariDataSource database, String server, String place, LeaseSql sql) {
        this.database = database;
        this.server = server;
        this.place = place;
        this.sql = sql;
    }

    static LeaseStore open(MetastoreConfig config, String url, String server, String place) {
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
        return new DatabaseLeaseStore(new HikariDataSource(pool), server, place, LeaseSql.of(url));
    }

    @Override
    public CommitOwner owner(String commit) {
        return new CommitOwner(server, server, place, commit, 0);
    }

    @Override
    public CommitOwner takeOver(CommitOwner other) {
        return other.withServer(server, place);
    }

    @Override
    public boolean isOwn(CommitOwner owner) {
        return owner.server().equals(server);
    }

    @Override
    public boolean isBegunByThisServer(CommitOwner owner) {
        return owner.began().equals(server);
    }

    @Override
    public LeaseSnapshot snapshot() {
        return with("look for commits", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.look());
                    ResultSet rows = statement.executeQuery()) {
                long position = 0;
                List<Mark> marks = new ArrayList<>();
                while (rows.next()) {
                    String key = rows.getString(2);
                    if (key == null) {
                        // This column is the number of the next event.
                        position = rows.getLong(1) - 1;
                    } else {
                        CommitOwner.parse(rows.getString(3))
                                .ifPresent(owner -> marks.add(new Mark(key.substring(PREFIX.length()), owner)));
                    }
                }
                return new LeaseSnapshot(position, marks);
            }
        });
    }

    @Override
    public boolean begin(Set<String> tables, CommitOwner owner) {
        FutureTask<Boolean> task = aside("begin a commit", connection -> {
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
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Thread.ofVirtual().name("commit-mark-given-up").start(() -> removeAbandonedMark(task, owner));
            throw new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, "canceled while the metastore was to begin a commit");
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /** The caller has stopped waiting, so the mark is removed again. */
    private void removeAbandonedMark(FutureTask<Boolean> begun, CommitOwner owner) {
        try {
            if (Uninterruptibles.getUninterruptibly(begun)) {
                end(owner);
            }
        } catch (ExecutionException | SkepException e) {
            LOG.log(System.Logger.Level.WARNING, "the mark of commit " + owner.commit() + " may be left", e);
        }
    }

    @Override
    public boolean replace(CommitOwner before, CommitOwner after) {
        return write("go on with a commit", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.replace())) {
                statement.setString(1, after.text());
                statement.setString(2, before.text());
                return statement.executeUpdate() > 0;
            }
        });
    }

    @Override
    public boolean write(CommitOwner owner, byte[] journal) {
        return write("write a commit's journal", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.write())) {
                statement.setBytes(1, journal);
                statement.setString(2, owner.text());
                return statement.executeUpdate() > 0;
            }
        });
    }

    @Override
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

    @Override
    public boolean end(CommitOwner owner) {
        return write("end a commit", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.end())) {
                statement.setString(1, owner.text());
                return statement.executeUpdate() > 0;
            }
        });
    }

    @Override
    public Optional<CommitOwner> releaseTable(CommitOwner owner) {
        CommitOwner left = owner.nextBeat();
        return write("leave a commit", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.leave())) {
                statement.setString(1, PREFIX + REMOVAL + owner.commit());
                statement.setString(2, left.text());
                statement.setString(3, owner.text());
                return statement.executeUpdate() > 0 ? Optional.of(left) : Optional.empty();
            }
        });
    }

    @Override
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

    private <T> FutureTask<T> aside(String what, Work<T> work) {
        FutureTask<T> task = new FutureTask<>(() -> with(what, work));
        Thread.ofVirtual().name("commit-mark").start(task);
        return task;
    }

    private <T> T write(String what, Work<T> work) {
        try {
            return Uninterruptibles.getUninterruptibly(aside(what, work));
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        return e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e);
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
