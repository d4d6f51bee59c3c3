package io.skep.ql.compiler;

import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import io.skep.metastore.system.SystemCatalog;
import io.skep.metastore.system.SystemTables;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableName;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Refuses statements that change system tables or their databases, for all users. What a statement changes is what it
 * declares as its outputs. The catalog refuses the changes too, but some statements write files before.
 */
final class ReadOnlyObjects {
    private ReadOnlyObjects() {}

    /** @throws SkepException NOT_SUPPORTED with the name of what cannot be changed */
    static void refuse(StatementKind kind, SyntaxNode root, String text, StatementContext context) {
        if (!mayNameSystem(text, context)) {
            return;
        }
        StatementNeeds needs;
        try {
            needs = kind.needs().of(root, context);
        } catch (SkepException e) {
            // What is wrong with the statement is for its handler to say.
            return;
        }
        List<String> changed = needs.needs().stream()
                .filter(need -> need.side() == AccessNeed.Side.OUTPUT)
                .flatMap(need -> changed(need.object(), root, context).stream())
                .toList();
        if (!changed.isEmpty()) {
            throw refused(changed, root, context);
        }
    }

    /** A statement about a table may declare its database too, and one about a database its tables. */
    private static SkepException refused(List<String> changed, SyntaxNode root, StatementContext context) {
        for (SyntaxNode node : root.descendants(HiveParser.TOK_TABNAME)) {
            TableName named = TableName.of(node, context);
            String name = named.database() + "." + named.table();
            if (changed.contains(name)) {
                return SystemCatalog.readOnly(name).at(named.position());
            }
        }
        String shortest =
                changed.stream().min(Comparator.comparingInt(String::length)).orElseThrow();
        return SystemCatalog.readOnly(shortest).at(root.position());
    }

    private static boolean mayNameSystem(String text, StatementContext context) {
        String lower = text.toLowerCase(Locale.ROOT);
        return SystemTables.isName(context.session().currentDatabase())
                || SystemTables.DATABASES.stream().anyMatch(lower::contains);
    }

    private static Optional<String> changed(AccessedObject object, SyntaxNode root, StatementContext context) {
        return switch (object) {
            case AccessedObject.OfTable(Table table, var _, var _) ->
                Optional.of(table.qualifiedName()).filter(_ -> table.isSystem());
            case AccessedObject.OfNewTable created ->
                Optional.of(created.name()).filter(_ -> isSystem(created.database(), context));
            case AccessedObject.OfDatabase found ->
                Optional.of(found.name()).filter(name -> isSystem(name, context) && !isOfSession(root));
            case AccessedObject.OfFunction function ->
                function.database().filter(name -> isSystem(name, context)).map(_ -> function.name());
            case AccessedObject.OfNewDatabase _,
                    AccessedObject.OfPath _,
                    AccessedObject.OfScheduledQuery _,
                    AccessedObject.OfConnector _,
                    AccessedObject.OfCommand _,
                    AccessedObject.OfServer _ -> Optional.empty();
        };
    }

    /** Macros belong to sessions, but count as objects of the current database. */
    private static boolean isOfSession(SyntaxNode root) {
        return root.is(HiveParser.TOK_CREATEMACRO) || root.is(HiveParser.TOK_DROPMACRO);
    }

    private static boolean isSystem(String database, StatementContext context) {
        return SystemTables.isBuiltIn(database, context.catalog());
    }
}
