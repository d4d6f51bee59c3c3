package io.skep.ql.statement;

import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs changes of definitions while nobody else writes, changes or lists the tables, on this server and on others. What a
 * statement was compiled against may be gone by then: the work asks the catalog again, and checks again.
 */
final class ExclusiveTables {
    private ExclusiveTables() {}

    /**
     * Runs work with the leases of some tables. Must not be nested; the work must not commit files.
     *
     * @param names of tables, whether they exist or not; a session's own tables need no lease
     */
    static void run(List<TableName> names, StatementContext context, Runnable work) {
        List<Table> leased = names.stream()
                .filter(name -> !isTemporary(name, context))
                .map(name -> named(name.database(), name.table()))
                .toList();
        if (leased.isEmpty()) {
            work.run();
        } else {
            leased(leased, context, work);
        }
    }

    private static void leased(List<Table> tables, StatementContext context, Runnable work) {
        String commit = context.queryId().value() + "-" + context.nextNumber();
        context.services().commits().exclusively(tables, commit, () -> {
            work.run();
            return true;
        });
    }

    static void run(TableName name, StatementContext context, Runnable work) {
        run(List.of(name), context, work);
    }

    /** The same for a table of the catalog, even if the session has one of its own with the name. */
    static void runShared(TableName name, StatementContext context, Runnable work) {
        leased(List.of(named(name.database(), name.table())), context, work);
    }

    /** Runs work while no other statement creates or drops a database of this name. */
    static void runForDatabase(String database, StatementContext context, Runnable work) {
        leased(List.of(named(database, "")), context, work);
    }

    private static boolean isTemporary(TableName name, StatementContext context) {
        return context.session()
                .temporaryTables()
                .get(name.database(), name.table())
                .isPresent();
    }

    /** What a lease goes by: the names alone. */
    private static Table named(String database, String name) {
        return new Table(
                database,
                name,
                Table.TableKind.MANAGED_TABLE,
                "",
                0,
                0,
                List.of(),
                new StorageDescriptor(
                        List.of(),
                        "",
                        new TableFormat("", "", "", Map.of()),
                        false,
                        -1,
                        List.of(),
                        List.of(),
                        StorageDescriptor.Skew.NONE),
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }
}
