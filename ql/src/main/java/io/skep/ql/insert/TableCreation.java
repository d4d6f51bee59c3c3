package io.skep.ql.insert;

import io.skep.ql.commit.CommitRequest;
import java.util.Optional;

/**
 * The table that a writing statement makes, if any.
 *
 * @param inCatalog comes to be with the commit
 * @param inSession makes the session's own table, after the rows have been written and before they are committed
 * @param undo takes that table away again when the commit fails
 */
public record TableCreation(Optional<CommitRequest.Created> inCatalog, Runnable inSession, Runnable undo) {
    static final TableCreation NONE = new TableCreation(Optional.empty(), () -> {}, () -> {});

    public static TableCreation of(CommitRequest.Created created) {
        return new TableCreation(Optional.of(created), () -> {}, () -> {});
    }
}
