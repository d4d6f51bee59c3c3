package io.skep.ql.commit;

import io.skep.metastore.Table;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A commit that a statement asks for.
 *
 * @param name that no other commit has
 * @param tables of the catalog that it changes, as the statement was compiled against them; none for folders and temporary tables
 * @param folders that are no table's of the catalog and that it changes: of directories, temporary tables and files that are loaded
 * @param intoFolders whether it changes files of folders that are no table's
 * @param created a table that comes to be with its rows
 * @param gate asked once, when nothing has been changed yet and the journal is about to be written; fails when the commit is not to be.
 *     From then on the commit is completed, also when a client cancels or closes
 * @param plan says what is to be done, by the files and the catalog as they are when nobody else changes the tables
 * @param inCatalog tells the catalog, when all files are in their places
 */
public record CommitRequest(
        String name,
        List<Table> tables,
        List<String> folders,
        boolean intoFolders,
        Optional<Created> created,
        Runnable gate,
        Consumer<CommitPlan> plan,
        Runnable inCatalog) {
    /** Property of a table whose CREATE TABLE AS is under way: the commit's name. */
    public static final String CREATED_BY = "skep.created.by.commit";

    /**
     * A table that a commit creates.
     *
     * @param table with {@link #CREATED_BY} among its properties
     * @param create puts it into the catalog; {@code inCatalog} takes the property away
     */
    public record Created(Table table, Runnable create) {}

    public CommitRequest {
        tables = List.copyOf(tables);
        folders = List.copyOf(folders);
    }

    /** A commit that nobody can cancel. */
    public static CommitRequest of(
            String name, Collection<Table> tables, Consumer<CommitPlan> plan, Runnable inCatalog) {
        return new CommitRequest(
                name, List.copyOf(tables), List.of(), false, Optional.empty(), () -> {}, plan, inCatalog);
    }

    /** The same, of a table of the catalog or of a session's own. */
    public static CommitRequest of(
            String name, Table table, boolean isTemporary, Consumer<CommitPlan> plan, Runnable inCatalog) {
        return new CommitRequest(
                name,
                isTemporary ? List.of() : List.of(table),
                isTemporary ? List.of(table.storage().location()) : List.of(),
                false,
                Optional.empty(),
                () -> {},
                plan,
                inCatalog);
    }

    /**
     * The same for files that are taken out of folders that are no table's: CREATE TABLE over such a folder comes before or after.
     *
     * @param taken these folders
     */
    public CommitRequest takingFrom(Collection<String> taken) {
        List<String> all = Stream.concat(folders.stream(), taken.stream()).toList();
        return new CommitRequest(name, tables, all, true, created, gate, plan, inCatalog);
    }

    /** The same with a gate. */
    public CommitRequest gatedBy(Runnable asked) {
        return new CommitRequest(name, tables, folders, intoFolders, created, asked, plan, inCatalog);
    }
}
