package io.skep.metastore.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prevents a server that was considered dead from changing the catalog. Before a transaction that changes the catalog
 * commits, it locks the mark of its commit. It is rolled back when the mark is missing or belongs to another server.
 * Therefore no server can take over the mark between that check and the end of the transaction. The fence is bound to
 * the work's scope, because the catalog's callers do not handle leases.
 *
 * @param table one of the tables that the commit has marked
 * @param owner the owner of the mark, with any beat
 */
public record CommitFence(String table, CommitOwner owner) {
    private static final ScopedValue<CommitFence> CURRENT = ScopedValue.newInstance();

    /** Runs work in which every change of the catalog requires the mark. */
    public <T extends @Nullable Object> T run(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    /** Returns the fence of the work that the calling thread runs. */
    public static Optional<CommitFence> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /**
     * Locks the mark until the transaction ends.
     *
     * @param connection the transaction's connection
     * @throws SkepException METASTORE_ERROR when the mark does not belong to this owner
     */
    public void check(Connection connection) throws SQLException {
        String quote = connection.getMetaData().getIdentifierQuoteString();
        String whose = owner.prefix();
        try (PreparedStatement statement = connection.prepareStatement(LeaseSql.lock(quote, whose.length()))) {
            statement.setString(1, LeaseStore.PREFIX + table);
            statement.setString(2, whose);
            if (statement.executeUpdate() == 0) {
                throw takenOverException();
            }
        }
    }

    /** Returns the failure for a commit that another server has taken over. */
    public SkepException takenOverException() {
        return new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "commit " + owner.commit() + " was ended by another server, to which this one looked dead")
                .withHint("look whether the rows are there before you run the statement again");
    }
}
