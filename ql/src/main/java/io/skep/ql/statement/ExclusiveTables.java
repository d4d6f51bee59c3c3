package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.metastore.Catalog;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Table;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.DropRequest;
import io.skep.ql.commit.LeasedNames;
import io.skep.ql.commit.RenameRequest;
import io.skep.ql.commit.TableFiles;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs changes of definitions while no other statement writes, changes or lists the tables, on this server or on
 * others. The objects that a statement was compiled against may be gone by then, so the work reads the catalog again
 * and repeats its checks.
 */
public final class ExclusiveTables {
    private static final Logger LOG = LoggerFactory.getLogger(ExclusiveTables.class);

    private ExclusiveTables() {}

    /**
     * Runs work with the leases of some tables. Must not be nested; the work must not commit files.
     *
     * @param names names of tables, whether they exist or not; temporary tables of a session need no lease
     */
    public static void run(List<TableName> names, StatementContext context, Runnable work) {
        List<Table> leased = shared(names, context);
        if (leased.isEmpty()) {
            work.run();
        } else {
            leased(leased, context, drops -> work.run());
        }
    }

    private static List<Table> shared(List<TableName> names, StatementContext context) {
        return names.stream()
                .filter(name -> !isTemporary(name, context))
                .map(name -> LeasedNames.of(name.database(), name.table()))
                .toList();
    }

    private static void leased(List<Table> tables, StatementContext context, Consumer<Consumer<DropRequest>> work) {
        context.services().commits().dropping(tables, context.nextName(), drops -> {
            work.accept(drops);
            return true;
        });
    }

    public static void run(TableName name, StatementContext context, Runnable work) {
        run(List.of(name), context, work);
    }

    /**
     * Runs work that drops a table of the catalog or some of its partitions, even if the session has a temporary table
     * of the same name.
     *
     * @param run the statement's run, which commits at the first drop
     * @param work receives the action that drops a request's objects with their files
     */
    public static void dropping(
            TableName name, CommandRun run, StatementContext context, Consumer<Consumer<DropRequest>> work) {
        leased(
                List.of(LeasedNames.of(name.database(), name.table())),
                context,
                drops -> work.accept(drop -> {
                    context.access().ofSession().files().requireRemovable(drop.folders());
                    run.beginCommit();
                    drops.accept(drop);
                }));
    }

    /**
     * Runs work that renames a table or one of its partitions.
     *
     * @param names the old and the new name, and the name of a database alone (with an empty table) if the table moves
     *     to that database
     * @param run the statement's run, which commits at the first rename
     * @param work receives the action that renames together with the files
     */
    public static void renaming(
            List<TableName> names, CommandRun run, StatementContext context, Consumer<Consumer<RenameRequest>> work) {
        context.services().commits().renaming(shared(names, context), context.nextName(), renames -> {
            work.accept(rename -> {
                rename.folder().ifPresent(folder -> requireMovable(folder, context));
                run.beginCommit();
                renames.accept(rename);
            });
            return true;
        });
    }

    private static void requireMovable(FolderMove folder, StatementContext context) {
        SessionFiles ofUser = context.access().ofSession().files();
        ofUser.requireRemovable(List.of(folder.from()));
        ofUser.requireWritable(folder.to());
    }

    /** Creates the request that drops a table, with the files that the table owns. */
    public static DropRequest dropped(Table table, DroppedFiles files, StatementContext context) {
        Catalog catalog = context.catalog();
        return DropRequest.of(
                table,
                catalog.ownFolders(table),
                files,
                () -> catalog.dropTable(table.database(), table.name(), DroppedFiles.KEPT));
    }

    /**
     * Cleans up after a failed write. When the table was dropped or renamed meanwhile, folders that were created for
     * its files alone are deleted too. Failures are logged.
     *
     * @param folders folders below the table's
     */
    public static void deleteIfForgotten(Table table, List<String> folders, StatementContext context) {
        TableFiles files = context.services().files();
        try {
            leased(List.of(table), context, drops -> {
                if (context.catalog().table(table.database(), table.name()).isEmpty()) {
                    folders.forEach(files::deleteEmpty);
                    files.deleteEmpty(table.storage().location());
                }
            });
        } catch (SkepException e) {
            LOG.warn(
                    "an empty folder of {}, which was dropped, may be left: {}",
                    table.qualifiedName(),
                    e.fullMessage());
        }
    }

    /** Runs work while no other statement creates or drops a database of this name. */
    public static void runForDatabase(String database, StatementContext context, Runnable work) {
        leased(List.of(LeasedNames.of(database, "")), context, drops -> work.run());
    }

    private static boolean isTemporary(TableName name, StatementContext context) {
        return context.session()
                .temporaryTables()
                .get(name.database(), name.table())
                .isPresent();
    }
}
