package io.skep.ql.statement;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** INSERT OVERWRITE [LOCAL] DIRECTORY: the folder as a table without a name, whose columns are those of the query. */
final class DirectoryDestination {
    private DirectoryDestination() {}

    /** @param node TOK_DESTINATION of a TOK_DIR: path, [local], format clauses */
    static Destination of(SyntaxNode node, AnalyzedQuery query, StatementContext context) {
        SyntaxNode target = node.child(0);
        TableFiles files = context.services().files();
        String path = Texts.string(target.child(0));
        boolean local = target.children().stream()
                .skip(1)
                .anyMatch(child -> child.text().equalsIgnoreCase("local"));
        String location = local ? files.local(path) : files.qualified(path);
        StorageDescriptor storage = new StorageDescriptor(
                columns(query),
                location.length() > 1 && location.endsWith("/")
                        ? location.substring(0, location.length() - 1)
                        : location,
                new TableDefinition(target).format(context.settings()),
                false,
                -1,
                List.of(),
                List.of(),
                StorageDescriptor.Skew.NONE);
        Table folder = new Table(
                context.session().currentDatabase(),
                "",
                Table.TableKind.EXTERNAL_TABLE,
                context.session().user(),
                0,
                0,
                List.of(),
                storage,
                Map.of(),
                Optional.empty(),
                Optional.empty());
        return new Destination(folder, true, Map.of(), List.of(), List.of(), node);
    }

    private static List<FieldSchema> columns(AnalyzedQuery query) {
        List<FieldSchema> columns = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (int i = 0; i < query.names().size(); i++) {
            SqlType type = query.types().get(i);
            String name = query.names().get(i);
            columns.add(new FieldSchema(
                    used.add(name) ? name : "_col" + i,
                    type == PrimitiveType.VOID ? PrimitiveType.STRING : type,
                    Optional.empty()));
        }
        return columns;
    }
}
