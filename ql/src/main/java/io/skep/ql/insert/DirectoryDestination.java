package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.path.FolderOwners;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * INSERT OVERWRITE [LOCAL] DIRECTORY. The folder is described as a table without a name that has the query's columns.
 */
final class DirectoryDestination {
    private DirectoryDestination() {}

    /** @param node TOK_DESTINATION of a TOK_DIR: path, [local], format clauses */
    static Destination of(SyntaxNode node, AnalyzedQuery query, StatementContext context) {
        SyntaxNode target = node.child(0);
        boolean local = target.children().stream()
                .skip(1)
                .anyMatch(child -> child.text().equalsIgnoreCase("local"));
        SyntaxNode path = target.child(0);
        String location = context.services().paths().check(SyntaxText.string(path), local, path.position());
        refuseFoldersOfTables(location, path, context);
        StorageDescriptor storage = new StorageDescriptor(
                columns(query),
                location,
                new TableDefinition(target).format(context.settings()),
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
        return new Destination(folder, true, Map.of(), List.of(), List.of(), node);
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
    static void refuseFoldersOfTables(Destination destination, StatementContext context) {
        SyntaxNode path = destination.syntax().child(0).child(0);
        refuseFoldersOfTables(destination.table().storage().location(), path, context);
    }

    /** Refuses folders of tables, since all files at and below the target are replaced. */
    private static void refuseFoldersOfTables(String location, SyntaxNode path, StatementContext context) {
        new FolderOwners(context.catalog().folders(), context.services().paths())
                .overlapping(location)
                .ifPresent(owner -> {
                    throw new SkepException(
                                    StandardErrorCode.INVALID_PATH,
                                    "Invalid path " + path.text() + ": it is, or overlaps, the folder of "
                                            + owner.owner())
                            .withHint("INSERT OVERWRITE TABLE replaces the rows of a table; else choose another folder")
                            .at(path.position());
                });
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
