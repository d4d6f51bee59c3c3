package io.skep.ql.commit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Table;
import io.skep.metastore.commit.CommitMarks;
import io.skep.storage.file.FileKey;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a commit does, complete enough for anyone to complete it or to roll it back. All changes of files are renames, and each can be
 * undone: new files {@link Kind#ARRIVING arrive} in a table's folder, old ones are {@link Kind#RETIRING retired} to a hidden folder.
 * Nothing is deleted before the commit is over.
 *
 * @param name that no other commit has
 * @param direction what becomes of it when it is interrupted
 * @param targets tables that it changes, as they were when it began
 * @param moves in the order in which they are done; arrivals come first
 * @param entries what the catalog says afterwards
 * @param folders that the commit itself made, with all that is in them
 * @param sources files of others that were copied, and go when the commit is over
 */
record CommitJournal(
        String name,
        Direction direction,
        List<Target> targets,
        List<Move> moves,
        List<Entry> entries,
        List<String> folders,
        List<Source> sources) {
    enum Direction {
        /** It is completed; when that cannot be, it is rolled back. */
        FORWARD,
        /** It is rolled back. */
        BACK
    }

    /**
     * A table.
     *
     * @param id of the catalog; 0 for one that the commit creates
     * @param location where it lay
     * @param isCreated whether the commit creates it; the table then has the commit's name as a property
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
            return CommitMarks.keyOf(database, table);
        }
    }

    enum Kind {
        ARRIVING,
        RETIRING,
        /** A folder with all that is in it; nothing else moves then. */
        RENAMED
    }

    /**
     * A file that gets another name.
     *
     * @param key of the file that is meant; any other file stays where it is
     * @param isTrashed whether a retired file goes to the trash, where there is one, and is not deleted at once
     */
    record Move(Kind kind, String from, String to, FileKey key, boolean isTrashed) {}

    /**
     * A table or partition that the catalog knows, or is to know.
     *
     * @param partition its name; empty for a table as a whole
     * @param change what the commit does to it
     * @param formats how the files are stored before and after, of a partition that is stored otherwise then; else none
     */
    record Entry(
            String database,
            String table,
            String partition,
            String location,
            Change change,
            // Journals of earlier versions have none.
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
            List<TableFormat> formats) {
        Entry {
            formats = List.copyOf(formats);
        }

        /** Of what stays stored as it is. */
        Entry(String database, String table, String partition, String location, Change change) {
            this(database, table, partition, location, change, List.of());
        }
    }

    enum Change {
        /** It was there before, and its files change. */
        CHANGED,
        /** A partition that the commit adds. */
        ADDED,
        /** A partition that the commit drops as its last step: when it is gone, the commit is completed, else it is rolled back. */
        DROPPED,
        /** A table or partition that a statement drops: once it is gone, the location goes to the trash, where there is one. */
        DISCARDED,
        /** The same, with a location that is deleted. */
        DELETED,
        /** One of the two names, before and after, of what a statement renames: the catalog has one of them. */
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

    /** Of a statement that drops a table or partitions. */
    static CommitJournal removal(String name, Table table, List<Entry> entries) {
        return new CommitJournal(
                name, Direction.FORWARD, List.of(Target.of(table)), List.of(), entries, List.of(), List.of());
    }

    /**
     * Of a statement that gives a table or partition another name.
     *
     * @param key of the folder
     * @param aside where it goes in between
     */
    static CommitJournal rename(String name, RenameRequest request, FolderMove folder, FileKey key, String aside) {
        Table table = request.table();
        Table renamed = request.renamed();
        List<Target> targets = new ArrayList<>(List.of(Target.of(table)));
        if (request.partition().isEmpty()) {
            targets.add(new Target(renamed.database(), renamed.name(), table.id(), folder.to(), false));
            if (!table.database().equals(renamed.database())) {
                // Nobody drops it with its folder while the table is on its way into it.
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
                List.of());
    }

    boolean isRename() {
        return entries.stream().anyMatch(entry -> entry.change() == Change.RENAMED);
    }

    boolean isRemoval() {
        return entries.stream().anyMatch(entry -> entry.change().isRemoval());
    }

    /** With another name for an arriving file, whose own one somebody has taken. */
    CommitJournal renamed(Move taken, String to) {
        List<Move> renamed = moves.stream()
                .map(move -> move.equals(taken)
                        ? new Move(move.kind(), move.from(), to, move.key(), move.isTrashed())
                        : move)
                .toList();
        return new CommitJournal(name, direction, targets, renamed, entries, folders, sources);
    }

    CommitJournal back() {
        return new CommitJournal(name, Direction.BACK, targets, moves, entries, folders, sources);
    }

    /** The tables, as leases and locks name them. */
    Set<String> keys() {
        return targets.stream().map(Target::key).collect(Collectors.toSet());
    }
}
