package io.skep.ql.commit;

import io.skep.metastore.Table;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A statement's request for a commit.
 *
 * @param name a name that no other commit has
 * @param tables tables of the catalog that the commit changes, as the statement was compiled against them; empty for
 *     folders and temporary tables
 * @param folders changed folders that belong to no table of the catalog: those of directories, temporary tables and
 *     loaded files
 * @param intoFolders whether the commit changes files of folders that belong to no table
 * @param created a table that is created together with its rows
 * @param gate called once, when nothing has been changed yet and the journal is about to be written; fails when the
 *     commit must not happen, or must not change these files. From then on the commit is completed, even when a client
 *     cancels or closes
 * @param plan plans the changes from the files and the catalog, while no other statement changes the tables
 * @param inCatalog updates the catalog, when all files are in their places
 */
public record CommitRequest(
        String name,
        List<Table> tables,
        List<String> folders,
        boolean intoFolders,
        Optional<Created> created,
        Consumer<ChangedFiles> gate,
        Consumer<CommitPlan> plan,
        Runnable inCatalog) {
    /** Property of a table whose CREATE TABLE AS is under way. Its value is the commit's name. */
    public static final String CREATED_BY = "skep.created.by.commit";

    /**
     * A table that a commit creates.
     *
     * @param table the table, with {@link #CREATED_BY} among its properties
     * @param create adds it to the catalog; {@code inCatalog} removes the property
     */
    public record Created(Table table, Runnable create) {}

    public CommitRequest {
        tables = List.copyOf(tables);
        folders = List.copyOf(folders);
    }

    /** Creates a request for a commit that cannot be cancelled. */
    public static CommitRequest of(
            String name, Collection<Table> tables, Consumer<CommitPlan> plan, Runnable inCatalog) {
        return new CommitRequest(
                name, List.copyOf(tables), List.of(), false, Optional.empty(), _ -> {}, plan, inCatalog);
    }

    /** As above, for a table of the catalog or a temporary table of a session. */
    public static CommitRequest of(
            String name, Table table, boolean isTemporary, Consumer<CommitPlan> plan, Runnable inCatalog) {
        return new CommitRequest(
                name,
                isTemporary ? List.of() : List.of(table),
                isTemporary ? List.of(table.storage().location()) : List.of(),
                false,
                Optional.empty(),
                _ -> {},
                plan,
                inCatalog);
    }

    /**
     * Returns this request for files that are moved out of folders that belong to no table. A CREATE TABLE over such a
     * folder happens before or after the commit.
     *
     * @param taken these folders
     */
    public CommitRequest withSourceFolders(Collection<String> taken) {
        List<String> all = Stream.concat(folders.stream(), taken.stream()).toList();
        return new CommitRequest(name, tables, all, true, created, gate, plan, inCatalog);
    }

    /** Returns this request with a gate. */
    public CommitRequest withGate(Consumer<ChangedFiles> asked) {
        return new CommitRequest(name, tables, folders, intoFolders, created, asked, plan, inCatalog);
    }
}
