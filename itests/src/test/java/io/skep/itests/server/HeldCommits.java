package io.skep.itests.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Blocks commits to tables of the database default at a phase, by triggers in the database that servers share. */
final class HeldCommits implements AutoCloseable {
    /** The next step of a commit. */
    enum Phase {
        /** Acquiring the lease: nothing is decided. */
        LEASE,
        /** Writing the journal: the commit can no longer be cancelled. */
        JOURNAL,
        /** Changing the catalog; the files are already in their final places. */
        CATALOG,
        /** Releasing the lease: no work is left. */
        END
    }

    private final Connection connection;
    private final Statement statement;

    /**
     * @param postgres a database with Hive's schema; meanwhile servers change the catalog only by the commits that are
     *     held
     */
    HeldCommits(EmbeddedPostgres postgres) throws SQLException {
        connection = postgres.getPostgresDatabase().getConnection();
        statement = connection.createStatement();
        statement.execute("""
                CREATE FUNCTION hold_commit() RETURNS trigger AS $$
                BEGIN
                    PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::int);
                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                    RETURN NEW;
                END $$ LANGUAGE plpgsql""");
        trigger(Phase.LEASE, "INSERT", "METASTORE_DB_PROPERTIES", "NEW.\"PROPERTY_KEY\" LIKE 'skep.commit.default.%'");
        trigger(
                Phase.JOURNAL,
                "UPDATE",
                "METASTORE_DB_PROPERTIES",
                "OLD.\"PROPERTYCONTENT\" IS NULL AND NEW.\"PROPERTYCONTENT\" IS NOT NULL");
        trigger(Phase.CATALOG, "UPDATE", "NOTIFICATION_SEQUENCE", "true");
        trigger(Phase.END, "DELETE", "METASTORE_DB_PROPERTIES", "OLD.\"PROPERTY_KEY\" LIKE 'skep.commit.default.%'");
    }

    private void trigger(Phase phase, String change, String table, String condition) throws SQLException {
        statement.execute("CREATE TRIGGER hold_" + phase + " BEFORE " + change + " ON \"" + table
                + "\" FOR EACH ROW WHEN (" + condition + ") EXECUTE FUNCTION hold_commit(" + phase.ordinal() + ")");
    }

    /** Makes every commit wait when it reaches a phase. */
    void hold(Phase phase) throws SQLException {
        statement.execute("SELECT pg_advisory_lock(" + phase.ordinal() + ")");
    }

    void release() throws SQLException {
        statement.execute("SELECT pg_advisory_unlock_all()");
    }

    /** Whether a commit is waiting. */
    boolean isHeld() {
        return count("pg_locks WHERE locktype = 'advisory' AND NOT granted") > 0;
    }

    /** Whether a commit of any server is unfinished. */
    boolean isUnderWay() {
        return count("\"METASTORE_DB_PROPERTIES\" WHERE \"PROPERTY_KEY\" LIKE 'skep.commit.%'") > 0;
    }

    private long count(String from) {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + from)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
