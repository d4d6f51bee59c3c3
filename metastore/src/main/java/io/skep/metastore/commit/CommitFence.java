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
 * Keeps a server that looked dead from changing the catalog. A transaction that changes it locks the mark of its commit
 * before it ends, and is rolled back when the mark is gone or another server's. So the mark cannot be taken over
 * between that check and the end of the transaction. It goes with the work, as the callers of the catalog do not know
 * about leases.
 *
 * @param table that the commit has marked, one of several
 * @param owner of the mark, with any beat
 */
public record CommitFence(String table, CommitOwner owner) {
    private static final ScopedValue<CommitFence> CURRENT = ScopedValue.newInstance();

    /** Does work all of whose changes of the catalog need the mark. */
    public <T extends @Nullable Object> T around(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    /** That of the work which the calling thread does. */
    public static Optional<CommitFence> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /**
     * Locks the mark until a transaction ends.
     *
     * @param connection that of the transaction
     * @throws SkepException METASTORE_ERROR when the mark is no longer this owner's
     */
    public void check(Connection connection) throws SQLException {
        String quote = connection.getMetaData().getIdentifierQuoteString();
        String whose = owner.whose();
        try (PreparedStatement statement = connection.prepareStatement(MarkSql.lock(quote, whose.length()))) {
            statement.setString(1, CommitMarks.PREFIX + table);
            statement.setString(2, whose);
            if (statement.executeUpdate() == 0) {
                throw lost();
            }
        }
    }

    /** What fails because another server has taken the commit over. */
    public SkepException lost() {
        return new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "commit " + owner.commit() + " was ended by another server, to which this one looked dead")
                .withHint("look whether the rows are there before you run the statement again");
    }
}
