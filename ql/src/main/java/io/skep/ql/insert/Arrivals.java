package io.skep.ql.insert;

import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.statement.StatementContext;

/** Files of a statement's staging folder that a commit moves into place. */
final class Arrivals {
    private final String staging;
    private final TableFiles files;
    private final CommitPlan commit;

    Arrivals(String staging, StatementContext context, CommitPlan commit) {
        this.staging = staging;
        this.files = context.services().files();
        this.commit = commit;
    }

    String staging() {
        return staging;
    }

    TableFiles files() {
        return files;
    }

    /** @param location the folder of the table or partition that the target is in */
    void add(String staged, String location, String target) {
        commit.arrive(near(staged, location), target);
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
