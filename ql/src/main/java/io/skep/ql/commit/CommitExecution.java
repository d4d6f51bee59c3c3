package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.ql.commit.CommitJournal.Kind;
import io.skep.ql.commit.CommitJournal.Move;
import io.skep.storage.file.FileKey;
import io.skep.storage.file.FilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the file changes of a journal, or undoes them. Belongs to one thread, which holds the leases of the
 * tables. Each change is one rename of one file whose key was checked before. The required folders are created first.
 * So when a server is suspended before a rename and resumes after another server has completed the commit, it finds no
 * file to rename or no target folder.
 */
final class CommitExecution {
    private static final Logger LOG = LoggerFactory.getLogger(CommitExecution.class);

    /** The root of the only file system whose folders are forced to the disk. */
    private static final String LOCAL_ROOT = "file:/";

    private final TableFiles files;
    private CommitJournal journal;
    private final Runnable fence;
    private final boolean isForced;
    private final boolean givesFolders;
    private final Set<String> made = new LinkedHashSet<>();

    /**
     * @param fence fails when the lease may have been lost
     * @param config says whether local files and folders are forced to the disk, and whose the folders are
     */
    CommitExecution(TableFiles files, CommitJournal journal, Runnable fence, CommitConfig config) {
        this.files = files;
        this.journal = journal;
        this.fence = fence;
        this.isForced = config.isForced();
        this.givesFolders = config.givesFolders();
    }

    /**
     * Thrown when no server can ever complete the commit. The commit has not been acknowledged and must be rolled back.
     */
    static final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Conflict(String message) {
            super(message);
        }

        Conflict(SkepException cause) {
            super(cause.fullMessage(), cause);
        }
    }

    /** Forces the files and folders that the journal refers to. */
    void forceSources() {
        if (!isForced) {
            return;
        }
        Set<String> folders = new LinkedHashSet<>();
        for (Move move : journal.moves()) {
            if (move.kind() == Kind.ARRIVING) {
                files.force(move.from());
                String folder = FilePermissions.parent(move.from());
                while (journal.folders().stream().anyMatch(folder::startsWith)) {
                    folders.add(folder);
                    folder = FilePermissions.parent(folder);
                }
                folders.add(folder);
            }
        }
        folders.forEach(files::force);
    }

    /** Forces the source and target folders of all moves. */
    void forceFolders() {
        if (!isForced) {
            return;
        }
        Set<String> folders = new LinkedHashSet<>();
        for (Move move : journal.moves()) {
            folders.add(FilePermissions.parent(move.from()));
            addWithThoseAbove(FilePermissions.parent(move.to()), folders);
        }
        made.forEach(folder -> folders.add(FilePermissions.parent(folder)));
        journal.targets().forEach(target -> folders.add(target.location()));
        // A folder is forced to the disk before anything that was renamed into it.
        folders.stream().sorted(Comparator.comparingInt(String::length)).forEach(files::force);
    }

    /**
     * Adds the folder and its ancestors. New partition folders are entries of each other, and the topmost one is an
     * entry of the table's folder.
     */
    private void addWithThoseAbove(String folder, Set<String> folders) {
        folders.add(folder);
        folders.add(FilePermissions.parent(folder));
        journal.targets().stream()
                .map(CommitJournal.Target::location)
                .filter(location -> folder.startsWith(location + "/"))
                .forEach(location -> {
                    for (String above = folder;
                            above.length() > location.length();
                            above = FilePermissions.parent(above)) {
                        folders.add(above);
                    }
                });
    }

    /**
     * Returns the journal being carried out. It is the given journal, except that new files have another name where
     * theirs was taken.
     */
    CommitJournal journal() {
        return journal;
    }

    /**
     * Carries out all moves for the first time.
     *
     * @param renamed makes the journal durable when a new file gets another name, before the file is renamed
     */
    void forward(Consumer<CommitJournal> renamed) {
        makeFolders(files::missingFolders);
        for (int i = 0; i < journal.moves().size(); i++) {
            while (!tryMove(journal.moves().get(i))) {
                Move taken = journal.moves().get(i);
                journal = journal.withTarget(taken, freeForAll(taken.to()));
                renamed.accept(journal);
            }
        }
        forceFolders();
    }

    /**
     * Carries out a move. Returns false when another writer has taken the name of a new file. Such a writer does not
     * hold these leases, for example because it uses another table over the same folder.
     */
    private boolean tryMove(Move move) {
        fence.run();
        try {
            files.move(move.from(), move.to());
            return true;
        } catch (SkepException e) {
            boolean isTaken = move.kind() == Kind.ARRIVING
                    && is(move.key(), move.from())
                    && files.key(move.to()).isPresent();
            if (!isTaken) {
                throw e;
            }
            return false;
        }
    }

    /** Returns a name that no existing file has and that no move of this commit uses. */
    private String freeForAll(String path) {
        Set<String> given = journal.moves().stream().map(Move::to).collect(Collectors.toSet());
        String name = path;
        for (int copy = 1; given.contains(name) || files.key(name).isPresent(); copy++) {
            name = copy(path, copy);
        }
        return name;
    }

    /** Inserts the copy number before the extension, since the extension says how the file is compressed. */
    private static String copy(String path, int copy) {
        int dot = path.lastIndexOf('.');
        int end = dot > path.lastIndexOf('/') + 1 ? dot : path.length();
        return path.substring(0, end) + "_copy_" + copy + path.substring(end);
    }

    /** @param given returns those of a folder and the folders above it that get the owner of the files in it */
    private void makeFolders(Function<String, List<String>> given) {
        Map<String, Move> first = new LinkedHashMap<>();
        journal.moves().forEach(move -> first.putIfAbsent(FilePermissions.parent(move.to()), move));
        first.forEach((folder, move) -> {
            fence.run();
            List<String> fresh = givesFolders && move.kind() == Kind.ARRIVING ? given.apply(folder) : List.of();
            String above = folder;
            while (isForced
                    && above.length() > LOCAL_ROOT.length()
                    && above.startsWith(LOCAL_ROOT)
                    && !files.exists(above)) {
                made.add(above);
                above = FilePermissions.parent(above);
            }
            files.makeDirectory(folder);
            if (!fresh.isEmpty()) {
                files.owner(move.from())
                        .or(() -> files.owner(move.to()))
                        .ifPresent(owner -> fresh.forEach(path -> files.give(path, owner)));
            }
        });
    }

    /**
     * Returns the folders of a table's new files that still belong to the server, which may have been killed between
     * making and giving them.
     */
    private List<String> keptFolders(String folder) {
        Optional<String> own = journal.folders().stream()
                .map(files::owner)
                .flatMap(Optional::stream)
                .findFirst();
        List<String> kept = new ArrayList<>();
        journal.targets().stream()
                .map(CommitJournal.Target::location)
                .filter(location -> folder.startsWith(location + "/"))
                .forEach(location -> {
                    for (String at = folder; at.length() > location.length(); at = FilePermissions.parent(at)) {
                        if (files.owner(at).equals(own)) {
                            kept.add(at);
                        }
                    }
                });
        kept.addAll(files.missingFolders(folder));
        return kept;
    }

    /**
     * Carries out the remaining moves.
     *
     * @throws Conflict when one cannot be carried out
     */
    void resume() {
        boolean isPrepared = false;
        for (Move move : journal.moves()) {
            if (isDone(move)) {
                continue;
            }
            if (!isPrepared) {
                makeFolders(this::keptFolders);
                isPrepared = true;
            }
            fence.run();
            rename(move);
        }
        forceFolders();
    }

    /** Whether all new files are at their targets. */
    boolean isArrived() {
        return journal.moves().stream()
                .filter(move -> move.kind() == Kind.ARRIVING)
                .allMatch(move -> is(move.key(), move.to()));
    }

    private boolean isDone(Move move) {
        if (is(move.key(), move.from())) {
            return false;
        }
        // An old file that is missing, or has been replaced by another file, is not visible any more.
        if (move.kind() == Kind.ARRIVING && !is(move.key(), move.to())) {
            throw new Conflict(move.from() + " and " + move.to() + " are not the file that was to be committed");
        }
        return true;
    }

    private void rename(Move move) {
        try {
            files.move(move.from(), move.to());
        } catch (SkepException e) {
            throw new Conflict(e);
        }
    }

    private boolean is(FileKey key, String path) {
        return files.key(path).filter(key::equals).isPresent();
    }

    /** Undoes all moves that were made. */
    void back() {
        List<Move> moves = journal.moves();
        for (int i = moves.size() - 1; i >= 0; i--) {
            Move move = moves.get(i);
            if (is(move.key(), move.to())) {
                fence.run();
                files.makeDirectory(FilePermissions.parent(move.from()));
                files.move(move.to(), free(move.from()));
            } else if (!is(move.key(), move.from())) {
                LOG.warn("commit {}: {} is gone, so it cannot be put back", journal.name(), move.from());
            }
        }
        forceFolders();
    }

    /** Returns the former name of a file, or a similar one if another file has taken that name since. */
    private String free(String path) {
        String name = path;
        for (int copy = 1; files.key(name).isPresent(); copy++) {
            name = copy(path, copy);
        }
        return name;
    }

    /**
     * Removes old files and copied source files for good. Called after the commit is over and its journal is deleted.
     * Failures are logged, and removal is tried again later.
     */
    void cleanUp(StagingFolders folders) {
        for (Move move : journal.moves()) {
            if (move.isTrashed()) {
                attempt(move.to(), () -> {
                    if (is(move.key(), move.to())) {
                        files.discard(move.to(), move.from());
                    }
                });
            }
        }
        for (CommitJournal.Source source : journal.sources()) {
            attempt(source.path(), () -> {
                if (is(source.key(), source.path())) {
                    files.delete(source.path());
                }
            });
        }
        journal.folders().forEach(folders::deleteCommitted);
    }

    private void attempt(String path, Runnable work) {
        try {
            work.run();
        } catch (SkepException e) {
            LOG.warn("commit {} is complete, but {} cannot be removed: {}", journal.name(), path, e.fullMessage());
        }
    }

    /** Removes the folders of list buckets that were made for new files. */
    private void removeEmptyBelow(CommitJournal.Entry entry) {
        for (Move move : journal.moves()) {
            if (move.kind() == Kind.ARRIVING && move.to().startsWith(entry.location() + "/")) {
                for (String at = FilePermissions.parent(move.to());
                        at.length() > entry.location().length();
                        at = FilePermissions.parent(at)) {
                    String folder = at;
                    attempt(folder, () -> files.deleteEmpty(folder));
                }
            }
        }
    }

    /**
     * Removes what the commit left. Called after the commit was rolled back. Only what existed before the commit
     * remains.
     */
    void cleanUpBack(StagingFolders folders) {
        journal.folders().forEach(folders::abandon);
        journal.entries().forEach(this::removeEmptyBelow);
        journal.entries().stream()
                .filter(entry -> entry.change() == CommitJournal.Change.ADDED)
                .forEach(entry -> attempt(entry.location(), () -> files.deleteEmpty(entry.location())));
        journal.targets().stream()
                .filter(CommitJournal.Target::isCreated)
                .forEach(target -> attempt(target.location(), () -> files.deleteEmpty(target.location())));
    }
}
