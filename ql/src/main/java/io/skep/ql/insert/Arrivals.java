package io.skep.ql.insert;

import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.statement.StatementContext;
import java.util.Optional;

/** Files of a statement's staging folder that a commit moves into place, or a transaction. */
final class Arrivals {
    private final String staging;
    private final TableFiles files;
    private final SessionFiles ofUser;
    private final CommitPlan commit;
    private final Optional<TransactionalMoves> moves;

    /** For files that the commit's journal names. */
    Arrivals(String staging, StatementContext context, CommitPlan commit) {
        this(staging, context, commit, Optional.empty());
    }

    /** For files that a transaction makes visible. */
    Arrivals(String staging, StatementContext context, CommitPlan commit, TransactionalMoves moves) {
        this(staging, context, commit, Optional.of(moves));
    }

    private Arrivals(String staging, StatementContext context, CommitPlan commit, Optional<TransactionalMoves> moves) {
        this.moves = moves;
        this.staging = staging;
        this.files = context.services().files();
        this.ofUser = context.access().ofSession().files();
        this.commit = commit;
    }

    String staging() {
        return staging;
    }

    TableFiles files() {
        return files;
    }

    /**
     * Plans the move of a file, which belongs to the user from then on.
     *
     * @param location the folder of the table or partition that the target is in
     */
    void add(String staged, String location, String target) {
        String file = near(staged, location);
        ofUser.give(file);
        moves.ifPresentOrElse(direct -> direct.add(file, target, location), () -> commit.arrive(file, target));
    }

    /**
     * Returns a path of the file from which it can be renamed into place. A partition may be on another file system
     * than its table; then the file is copied. Names are unique below the staging folder only: a file of deletes may
     * have that of a file of inserts.
     */
    private String near(String file, String location) {
        if (files.movable(file, location)) {
            return file;
        }
        String folder = location + staging.substring(staging.lastIndexOf('/'));
        String copy = folder + file.substring(staging.length());
        files.makeDirectory(copy.substring(0, copy.lastIndexOf('/')));
        files.copy(file, copy);
        commit.remove(folder);
        return copy;
    }
}
