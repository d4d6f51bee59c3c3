package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitJournal.Change;
import io.skep.ql.commit.CommitJournal.Direction;
import io.skep.ql.commit.CommitJournal.Entry;
import io.skep.ql.commit.CommitJournal.Kind;
import io.skep.ql.commit.CommitJournal.Move;
import io.skep.ql.commit.CommitJournal.Source;
import io.skep.ql.commit.CommitJournal.Target;
import io.skep.storage.file.FileKey;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Collects the changes of a commit. Belongs to the thread that commits. That thread holds the leases of the tables, so
 * the contents of folders that it reads do not change until the commit is over.
 */
public final class CommitPlan {
    private final TableFiles files;
    private final Map<String, Set<String>> takenNames = new HashMap<>();
    private final Map<String, Move> arriving = new LinkedHashMap<>();
    private final Map<String, Move> retiring = new LinkedHashMap<>();
    private final Set<String> targets = new HashSet<>();
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, TableFormat> formats = new HashMap<>();
    private final Set<String> folders = new LinkedHashSet<>();
    private final List<Source> sources = new ArrayList<>();
    private final String hidden = "/.skep-retired-" + UUID.randomUUID();
    private Direction direction = Direction.FORWARD;
    private long transaction;

    CommitPlan(TableFiles files) {
        this.files = files;
    }

    /**
     * Returns the names in a folder that no new file may have: names of its files, including those about to be retired,
     * of its folders, and of arrivals. The caller adds the names that it uses to this set.
     */
    public Set<String> takenNames(String folder) {
        return takenNames.computeIfAbsent(folder, path -> new HashSet<>(files.names(path)));
    }

    /** Renames a new file to {@code to}. That name must not be among the {@link #takenNames} names of its folder. */
    public void arrive(String from, String to) {
        if (!targets.add(to)) {
            throw new IllegalStateException("two files become " + to);
        }
        if (arriving.put(from, new Move(Kind.ARRIVING, from, to, keyOf(from), false)) != null) {
            throw twice(from);
        }
    }

    /**
     * Retires all visible files at or below a folder. They go to the trash if the file system has one and the table's
     * properties allow it.
     */
    public void retire(String folder, Table table) {
        boolean trashed = !table.name().isEmpty() && !DroppedFiles.isPurged(table.properties());
        String aside = folder + hidden;
        for (TableFiles.TableFile file : files.exists(folder) ? files.files(folder) : List.<TableFiles.TableFile>of()) {
            String path = file.path();
            if (!retiring.containsKey(path)) {
                String to = aside + "/" + retiring.size();
                retiring.put(path, new Move(Kind.RETIRING, path, to, keyOf(path), trashed));
                folders.add(aside);
            }
        }
    }

    private FileKey keyOf(String path) {
        FileKey key = files.key(path)
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.MISSING_FILE, path + " is to be committed, and does not exist"));
        if (key.folder()) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, path + " is to be committed as a file, and is a folder");
        }
        return key;
    }

    /** Records that the files of a table change. */
    public void change(Table table) {
        entries.add(entry(table, "", table.storage().location(), Change.CHANGED));
    }

    /** Records that the files of a partition change, or that the partition is added. */
    public void change(Table table, String partition, String location, boolean isNew) {
        entries.add(entry(table, partition, location, isNew ? Change.ADDED : Change.CHANGED));
    }

    /**
     * Records that the files of a partition change, and their format with them.
     *
     * @param before the format of its files before the commit
     * @param after the format of its files after the commit
     */
    public void change(Table table, String partition, String location, TableFormat before, TableFormat after) {
        entries.add(
                new Entry(table.database(), table.name(), partition, location, Change.CHANGED, List.of(before, after)));
    }

    /**
     * Records the format in which new files of a partition were written.
     *
     * @throws SkepException NOT_SUPPORTED when other files of this commit were written in another format
     */
    public void recordFormat(Table table, String partition, TableFormat format) {
        TableFormat other = formats.putIfAbsent(table.qualifiedName() + "/" + partition, format);
        if (other != null && !other.equals(format)) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "one statement adds rows to partition " + partition + " of " + table.qualifiedName()
                                    + " in its own format and replaces its rows in the table's")
                    .withHint("use two statements");
        }
    }

    /**
     * Records that the catalog drops a partition as the commit's very last change. If the commit is interrupted, the
     * presence of this partition decides whether it is completed.
     */
    public void drop(Table table, String partition, String location) {
        entries.add(entry(table, partition, location, Change.DROPPED));
        direction = Direction.BACK;
    }

    /**
     * Records that the commit's last step commits a transaction, without which nobody reads the new files. If the
     * commit is interrupted, the outcome of the transaction decides whether it is completed.
     */
    public void decideBy(long transactionId) {
        transaction = transactionId;
    }

    private static Entry entry(Table table, String partition, String location, Change change) {
        return new Entry(table.database(), table.name(), partition, location, change);
    }

    /** Records that a folder made for this commit alone is deleted with all its contents. */
    public void remove(String folder) {
        folders.add(folder);
    }

    /** Records that a file is deleted when the commit is over, since a copy of it arrives. */
    public void removeSource(String path) {
        sources.add(new Source(path, keyOf(path)));
    }

    CommitJournal journal(String name, List<Target> tables) {
        retiring.keySet().stream().filter(arriving::containsKey).findFirst().ifPresent(path -> {
            throw twice(path);
        });
        List<Move> moves = new ArrayList<>(arriving.values());
        moves.addAll(retiring.values());
        return new CommitJournal(name, direction, tables, moves, entries, List.copyOf(folders), sources, transaction);
    }

    private static SkepException twice(String path) {
        return new SkepException(
                StandardErrorCode.INVALID_ARGUMENT,
                path + " is a file that the statement both reads and replaces, or reads twice");
    }
}
