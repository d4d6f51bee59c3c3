package io.skep.ql.insert;

import io.skep.ql.commit.CommitRequest;
import java.util.Optional;

/**
 * The table that a writing statement creates, if any.
 *
 * @param inCatalog the table, if it is created with the commit
 * @param inSession creates the session's temporary table, after the rows have been written and before they are
 *     committed
 * @param undo drops that table again when the commit fails
 */
public record TableCreation(Optional<CommitRequest.Created> inCatalog, Runnable inSession, Runnable undo) {
    static final TableCreation NONE = new TableCreation(Optional.empty(), () -> {}, () -> {});

    public static TableCreation of(CommitRequest.Created created) {
        return new TableCreation(Optional.of(created), () -> {}, () -> {});
    }
}
