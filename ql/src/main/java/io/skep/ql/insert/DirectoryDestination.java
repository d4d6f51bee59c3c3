package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.handler.VersionedTables;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.path.FolderOwners;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableDefinition;
import io.skep.ql.statement.TableStore;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * INSERT OVERWRITE [LOCAL] DIRECTORY. The folder is described as a table without a name that has the query's columns.
 */
public final class DirectoryDestination {
    private DirectoryDestination() {}

    /** @param node TOK_DESTINATION of a TOK_DIR: path, [local], format clauses */
    static Destination of(SyntaxNode node, AnalyzedQuery query, StatementContext context) {
        SyntaxNode target = node.child(0);
        boolean local = target.children().stream()
                .skip(1)
                .anyMatch(child -> child.text().equalsIgnoreCase("local"));
        SyntaxNode path = target.child(0);
        String location = context.services().paths().check(SyntaxText.string(path), local, path.position());
        TableFormat format = new TableDefinition(target).format(context.settings());
        Optional<Table> owner = owner(location, format, path, context);
        StorageDescriptor storage = new StorageDescriptor(
                columns(query),
                owner.map(table -> table.storage().location()).orElse(location),
                format,
                false,
                -1,
                List.of(),
                List.of(),
                StorageDescriptor.Skew.NONE);
        Table folder = new Table(
                Table.NO_ID,
                context.session().currentDatabase(),
                "",
                Table.TableKind.EXTERNAL_TABLE,
                context.session().user(),
                false,
                0,
                0,
                List.of(),
                storage,
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return Destination.ofFolder(folder, owner, node);
    }

    /** Refuses overlapping directories in one statement, since each would delete what was written into the other. */
    static void refuseOverlaps(List<Destination> destinations, StatementContext context) {
        List<String> earlier = new ArrayList<>();
        for (Destination destination : destinations) {
            if (destination.isDirectory()) {
                String location = destination.table().storage().location();
                context.services().paths().overlapping(location, earlier).ifPresent(other -> {
                    throw new SkepException(
                                    StandardErrorCode.INVALID_PATH,
                                    "Invalid path '" + location + "': the statement writes to " + other + " too")
                            .at(destination.syntax().position());
                });
                earlier.add(location);
            }
        }
    }

    /** Checks again, since a table may have been created over the folder after the statement was compiled. */
    static void requireSameOwner(Destination destination, StatementContext context) {
        SyntaxNode path = destination.syntax().child(0).child(0);
        StorageDescriptor storage = destination.table().storage();
        Optional<Table> now = owner(storage.location(), storage.format(), path, context);
        if (!now.map(Table::id).equals(destination.owner().map(Table::id))) {
            throw new SkepException(
                            StandardErrorCode.TABLE_CHANGED,
                            "the table over the folder " + path.text() + " was created, dropped or altered meanwhile")
                    .withHint("run the statement again")
                    .at(path.position());
        }
    }

    /**
     * Returns the external table whose folder this is. Other folders of tables are refused, since all files at and
     * below the target are replaced.
     *
     * @param format of the files that come
     */
    private static Optional<Table> owner(
            String location, TableFormat format, SyntaxNode path, StatementContext context) {
        FolderOwners owners =
                new FolderOwners(context.catalog().folders(), context.services().paths());
        Optional<Table> owner = owner(location, owners, context)
                .filter(table -> isReplaceable(table, format))
                // A temporary table of the session may hide one that another session has created since.
                .filter(table -> !TableStore.isTemporary(table, context))
                .map(table -> refuseVersioned(table, path));
        if (owner.isEmpty()) {
            owners.overlapping(location).ifPresent(other -> {
                throw new SkepException(
                                StandardErrorCode.INVALID_PATH,
                                "Invalid path " + path.text() + ": it is, or overlaps, the folder of " + other.owner())
                        .withHint("INSERT OVERWRITE TABLE replaces the rows of a table; else choose another folder")
                        .at(path.position());
            });
        }
        return owner;
    }

    private static Table refuseVersioned(Table table, SyntaxNode path) {
        try {
            return VersionedTables.refuse(table);
        } catch (SkepException e) {
            throw e.at(path.position());
        }
    }

    /** Returns the table whose folder is a path, whether or not a statement may replace its files. */
    public static Optional<Table> ownerOf(String location, StatementContext context) {
        FolderOwners owners =
                new FolderOwners(context.catalog().folders(), context.services().paths());
        return owner(location, owners, context);
    }

    private static Optional<Table> owner(String location, FolderOwners owners, StatementContext context) {
        return owners.only(location).flatMap(folder -> context.catalog().table(folder.database(), folder.table()));
    }

    /** Whether files with any names are read as rows of the table. */
    private static boolean isReplaceable(Table table, TableFormat format) {
        return table.kind() == Table.TableKind.EXTERNAL_TABLE
                && table.hasFiles()
                && table.partitionKeys().isEmpty()
                && table.storage().buckets() <= 0
                && !table.storage().skew().isListBucketed()
                && !table.isTransactional()
                && table.storage().format().inputFormat().equals(format.inputFormat());
    }

    /** Unnamed columns are called as Hive calls them in files, which is not what it calls them in results. */
    private static List<FieldSchema> columns(AnalyzedQuery query) {
        List<FieldSchema> columns = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (int i = 0; i < query.names().size(); i++) {
            SqlType type = query.types().get(i);
            String name = query.names().get(i);
            columns.add(new FieldSchema(
                    !name.equals("_c" + i) && used.add(name) ? name : "_col" + i,
                    type == PrimitiveType.VOID ? PrimitiveType.STRING : type,
                    Optional.empty()));
        }
        return columns;
    }
}
