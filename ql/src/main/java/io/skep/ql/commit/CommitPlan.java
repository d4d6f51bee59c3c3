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
 * Collects what a commit is to do. Belongs to the thread that commits, which holds the tables' leases: what it finds in folders stays
 * so until the commit is over.
 */
public final class CommitPlan {
    private final TableFiles files;
    private final Map<String, Set<String>> taken = new HashMap<>();
    private final Map<String, Move> arriving = new LinkedHashMap<>();
    private final Map<String, Move> retiring = new LinkedHashMap<>();
    private final Set<String> targets = new HashSet<>();
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, TableFormat> formats = new HashMap<>();
    private final Set<String> folders = new LinkedHashSet<>();
    private final List<Source> sources = new ArrayList<>();
    private final String hidden = "/.skep-retired-" + UUID.randomUUID();
    private Direction direction = Direction.FORWARD;

    CommitPlan(TableFiles files) {
        this.files = files;
    }

    /**
     * Names in a folder that no new file may have: of files, also those that are about to go, of folders, and of what has arrived. To
     * be added to.
     */
    public Set<String> taken(String folder) {
        return taken.computeIfAbsent(folder, path -> new HashSet<>(files.names(path)));
    }

    /** A file becomes another one's by name: {@code to} is in a folder whose {@link #taken} names do not have it. */
    public void arrive(String from, String to) {
        if (!targets.add(to)) {
            throw new IllegalStateException("two files become " + to);
        }
        if (arriving.put(from, new Move(Kind.ARRIVING, from, to, keyOf(from), false)) != null) {
            throw twice(from);
        }
    }

    /** All visible files at or below a folder go, to the trash where there is one and the table does not say otherwise. */
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

    /** A table whose files change. */
    public void change(Table table) {
        entries.add(entry(table, "", table.storage().location(), Change.CHANGED));
    }

    /** A partition whose files change, or that comes to be. */
    public void change(Table table, String partition, String location, boolean isNew) {
        entries.add(entry(table, partition, location, isNew ? Change.ADDED : Change.CHANGED));
    }

    /**
     * A partition whose files change and are stored otherwise from then on.
     *
     * @param before how its files are stored
     * @param after how they will be
     */
    public void change(Table table, String partition, String location, TableFormat before, TableFormat after) {
        entries.add(
                new Entry(table.database(), table.name(), partition, location, Change.CHANGED, List.of(before, after)));
    }

    /**
     * Says how new files of a partition were written.
     *
     * @throws SkepException NOT_SUPPORTED when others of this commit were written otherwise
     */
    public void written(Table table, String partition, TableFormat format) {
        TableFormat other = formats.putIfAbsent(table.qualifiedName() + "/" + partition, format);
        if (other != null && !other.equals(format)) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "one statement adds rows to partition " + partition + " of " + table.qualifiedName()
                                    + " in its own format and replaces its rows in the table's")
                    .withHint("use two statements");
        }
    }

    /** A partition that the catalog forgets as its very last change; whether it has decides about an interrupted commit. */
    public void drop(Table table, String partition, String location) {
        entries.add(entry(table, partition, location, Change.DROPPED));
        direction = Direction.BACK;
    }

    private static Entry entry(Table table, String partition, String location, Change change) {
        return new Entry(table.database(), table.name(), partition, location, change);
    }

    /** A folder that was made for this commit alone goes with all that it holds. */
    public void remove(String folder) {
        folders.add(folder);
    }

    /** A file of which a copy arrives goes when the commit is over. */
    public void removeSource(String path) {
        sources.add(new Source(path, keyOf(path)));
    }

    CommitJournal journal(String name, List<Target> tables) {
        retiring.keySet().stream().filter(arriving::containsKey).findFirst().ifPresent(path -> {
            throw twice(path);
        });
        List<Move> moves = new ArrayList<>(arriving.values());
        moves.addAll(retiring.values());
        return new CommitJournal(name, direction, tables, moves, entries, List.copyOf(folders), sources);
    }

    private static SkepException twice(String path) {
        return new SkepException(
                StandardErrorCode.INVALID_ARGUMENT,
                path + " is a file that the statement both reads and replaces, or reads twice");
    }
}
