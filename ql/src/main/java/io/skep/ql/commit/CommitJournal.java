package io.skep.ql.commit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Table;
import io.skep.metastore.commit.LeaseStore;
import io.skep.storage.file.FileKey;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The full description of a commit, sufficient for any server to complete it or to roll it back. All file changes are
 * renames, and each can be undone: new files {@link Kind#ARRIVING arrive} in a table's folder, and old files are
 * {@link Kind#RETIRING retired} to a hidden folder. Nothing is deleted before the commit is over.
 *
 * @param name a name that no other commit has
 * @param direction whether the commit is completed or rolled back when it is interrupted
 * @param targets tables that the commit changes, as they were when it began
 * @param moves file moves in the order in which they are made; arrivals come first
 * @param entries what the catalog contains afterwards
 * @param folders folders that the commit itself made, with all their contents
 * @param sources files that the commit did not write and that were copied; they are deleted when the commit is over
 * @param transaction a transaction of the metastore that the commit commits as its last step, and whose outcome decides
 *     whether an interrupted commit is completed or rolled back; 0 if there is none
 */
record CommitJournal(
        String name,
        Direction direction,
        List<Target> targets,
        List<Move> moves,
        List<Entry> entries,
        List<String> folders,
        List<Source> sources,
        // Journals of earlier versions do not contain a transaction.
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        long transaction) {
    enum Direction {
        /** The commit is completed. If it cannot be completed, it is rolled back. */
        FORWARD,
        /** The commit is rolled back. */
        BACK
    }

    /**
     * A table that the commit changes.
     *
     * @param id id in the catalog; 0 for a table that the commit creates
     * @param location the table's location when the commit began
     * @param isCreated whether the commit creates the table; the table then has the commit's name as a property
     */
    record Target(String database, String table, long id, String location, boolean isCreated) {
        static Target of(Table table) {
            return new Target(
                    table.database(), table.name(), table.id(), table.storage().location(), false);
        }

        static Target created(Table table) {
            return new Target(table.database(), table.name(), 0, table.storage().location(), true);
        }

        String key() {
            return LeaseStore.keyOf(database, table);
        }
    }

    enum Kind {
        ARRIVING,
        RETIRING,
        /** A folder with all its contents. Such a journal has no other kind of move. */
        RENAMED
    }

    /**
     * The rename of one file.
     *
     * @param key key of the file to move; any other file stays where it is
     * @param isTrashed whether a retired file goes to the trash, if the file system has one, instead of being deleted
     *     at once
     */
    record Move(Kind kind, String from, String to, FileKey key, boolean isTrashed) {}

    /**
     * A table or partition that the catalog contains or will contain.
     *
     * @param partition the partition's name; empty for a whole table
     * @param change what the commit does to it
     * @param formats the formats of the files before and after, for a partition whose format changes; else empty
     */
    record Entry(
            String database,
            String table,
            String partition,
            String location,
            Change change,
            // Journals of earlier versions do not contain formats.
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
            List<TableFormat> formats) {
        Entry {
            formats = List.copyOf(formats);
        }

        /** Creates an entry whose format does not change. */
        Entry(String database, String table, String partition, String location, Change change) {
            this(database, table, partition, location, change, List.of());
        }
    }

    enum Change {
        /** It existed before, and its files change. */
        CHANGED,
        /** The commit adds the partition. */
        ADDED,
        /**
         * The commit drops the partition as its last step. Once the partition is gone, the commit is completed; before
         * that, it is rolled back.
         */
        DROPPED,
        /**
         * A statement drops the table or partition. Once it is gone, its location goes to the trash, if the file system
         * has one.
         */
        DISCARDED,
        /** As DISCARDED, but the location is deleted. */
        DELETED,
        /**
         * One of the two names, before and after, of a table or partition that a statement renames. The catalog
         * contains one of them.
         */
        RENAMED;

        boolean isRemoval() {
            return this == DISCARDED || this == DELETED;
        }
    }

    record Source(String path, FileKey key) {}

    CommitJournal {
        targets = List.copyOf(targets);
        moves = List.copyOf(moves);
        entries = List.copyOf(entries);
        folders = List.copyOf(folders);
        sources = List.copyOf(sources);
    }

    /** Creates the journal of a statement that drops a table or partitions. */
    static CommitJournal removal(String name, Table table, List<Entry> entries) {
        return new CommitJournal(
                name, Direction.FORWARD, List.of(Target.of(table)), List.of(), entries, List.of(), List.of(), 0);
    }

    /**
     * Creates the journal of a statement that renames a table or partition.
     *
     * @param key key of the folder
     * @param aside the intermediate path of the folder
     */
    static CommitJournal rename(String name, RenameRequest request, FolderMove folder, FileKey key, String aside) {
        Table table = request.table();
        Table renamed = request.renamed();
        List<Target> targets = new ArrayList<>(List.of(Target.of(table)));
        if (request.partition().isEmpty()) {
            targets.add(new Target(renamed.database(), renamed.name(), table.id(), folder.to(), false));
            if (!table.database().equals(renamed.database())) {
                // Prevents the database from being dropped, with its folder, while the table is being moved into it.
                targets.add(new Target(renamed.database(), "", 0, folder.to(), false));
            }
        }
        return new CommitJournal(
                name,
                Direction.FORWARD,
                targets,
                List.of(
                        new Move(Kind.RENAMED, folder.from(), aside, key, false),
                        new Move(Kind.RENAMED, aside, folder.to(), key, false)),
                List.of(
                        new Entry(table.database(), table.name(), request.partition(), folder.from(), Change.RENAMED),
                        new Entry(
                                renamed.database(),
                                renamed.name(),
                                request.renamedPartition(),
                                folder.to(),
                                Change.RENAMED)),
                List.of(),
                List.of(),
                0);
    }

    boolean isRename() {
        return entries.stream().anyMatch(entry -> entry.change() == Change.RENAMED);
    }

    boolean isRemoval() {
        return entries.stream().anyMatch(entry -> entry.change().isRemoval());
    }

    /** Returns this journal with another target name for an arriving file whose name has been taken. */
    CommitJournal withTarget(Move taken, String to) {
        List<Move> renamed = moves.stream()
                .map(move -> move.equals(taken)
                        ? new Move(move.kind(), move.from(), to, move.key(), move.isTrashed())
                        : move)
                .toList();
        return new CommitJournal(name, direction, targets, renamed, entries, folders, sources, transaction);
    }

    CommitJournal back() {
        return new CommitJournal(name, Direction.BACK, targets, moves, entries, folders, sources, transaction);
    }

    /** Returns the keys of the tables, as leases and locks use them. */
    Set<String> keys() {
        return targets.stream().map(Target::key).collect(Collectors.toSet());
    }
}
