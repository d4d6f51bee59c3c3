package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.file.FilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves of a statement's files into the folders of its transaction. Nobody reads these folders before the transaction
 * commits, so the moves need no journal, and nothing completes them after a crash: files that arrived later, when a
 * cleaner has forgotten the aborted transaction, would count as committed. Belongs to the thread that commits.
 */
final class TransactionalMoves {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalMoves.class);

    private final TableFiles files;
    private final SessionFiles ofUser;
    private final boolean isForced;
    private final List<Move> planned = new ArrayList<>();

    /** Folders that exist also without files, since they say that there are no rows. */
    private final List<Folder> folders = new ArrayList<>();

    private final Set<String> changed = new LinkedHashSet<>();

    /** @param location the folder of the table or partition that the target is below */
    private record Move(String from, String to, String location) {}

    private record Folder(String path, String location) {}

    TransactionalMoves(StatementContext context) {
        this.files = context.services().files();
        this.ofUser = context.access().ofSession().files();
        this.isForced = context.services().commits().isForced();
    }

    /**
     * Moves all files, and commits the transaction that makes them visible. When that fails, what was moved is deleted.
     * When the outcome of the commit is not known, everything stays: without the commit nobody reads the files.
     *
     * @param moves those of the statement's tables
     * @param scope of the statement
     * @param recording changes the catalog, between the moves and the commit
     * @return why the outcome is not known, with which the statement has to fail
     */
    static Optional<RuntimeException> commit(
            Collection<TransactionalMoves> moves, TransactionScope scope, Runnable recording) {
        try {
            moves.forEach(each -> each.run(() -> scope.transaction().check()));
            recording.run();
            scope.commit();
            return Optional.empty();
        } catch (RuntimeException e) {
            if (scope.isOutcomeUnknown()) {
                return Optional.of(e);
            }
            moves.forEach(TransactionalMoves::undo);
            throw e;
        }
    }

    void add(String from, String to, String location) {
        planned.add(new Move(from, to, location));
    }

    void addFolder(String path, String location) {
        folders.add(new Folder(path, location));
    }

    /** Forgets what was planned. What was moved is undone before. */
    void clear() {
        planned.clear();
        folders.clear();
        changed.clear();
    }

    /**
     * Moves all files, and forces them to the disk.
     *
     * @param check fails when the transaction has been lost
     */
    private void run(Runnable check) {
        for (Folder folder : folders) {
            check.run();
            makeFolder(folder.path(), folder.location());
        }
        for (Move move : planned) {
            check.run();
            if (isForced) {
                files.force(move.from());
            }
            makeFolder(FilePermissions.parent(move.to()), move.location());
            files.move(move.from(), move.to());
        }
        if (isForced) {
            changed.forEach(files::force);
        }
    }

    private void makeFolder(String folder, String location) {
        if (changed.contains(folder)) {
            return;
        }
        ofUser.giveFolders(List.of(folder), () -> files.makeDirectory(folder));
        // New folders are entries of those above them.
        for (String at = folder; at.length() > location.length(); at = FilePermissions.parent(at)) {
            changed.add(at);
        }
        changed.add(location);
        changed.add(FilePermissions.parent(location));
    }

    /**
     * Deletes the files that were moved, of a transaction that does not commit. Failures are logged: the files stay
     * invisible, and are deleted with the transaction's folders.
     */
    private void undo() {
        try {
            for (Move move : planned) {
                files.delete(move.to());
            }
            planned.forEach(move -> files.deleteEmpty(FilePermissions.parent(move.to())));
            folders.forEach(folder -> files.deleteEmpty(folder.path()));
        } catch (SkepException e) {
            LOG.warn("files of an aborted transaction stay until they are cleaned: {}", e.fullMessage());
        }
    }
}
