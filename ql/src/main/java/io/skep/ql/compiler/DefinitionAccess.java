package io.skep.ql.compiler;

import io.skep.metastore.Table;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessedObject.OfServer;
import io.skep.ql.authorize.AccessedObject.OfTable;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The needs of CREATE and DROP. */
final class DefinitionAccess {
    private DefinitionAccess() {}

    private static boolean hasWord(SyntaxNode statement, String word) {
        return statement.children().stream().anyMatch(child -> child.text().equalsIgnoreCase(word));
    }

    /** CREATE TABLE with columns, LIKE another table, or AS a query. */
    static StatementNeeds createTable(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        List<AccessNeed> needs = new ArrayList<>(NamedObjects.onPaths(statement));
        if (!hasWord(statement, "temporary")) {
            needs.addAll(NamedObjects.onDatabase(name.database(), context, RequiredPrivilege.OWNERSHIP));
        }
        needs.addAll(NamedObjects.onParents(statement, context));
        // Hive needs nothing on the table that LIKE names, whose columns the new table shows.
        statement
                .first(HiveParser.TOK_LIKETABLE)
                .filter(like -> like.childCount() > 0)
                .ifPresent(like -> needs.addAll(
                        NamedObjects.onTable(like.child(0), context, OfTable::anyColumn, RequiredPrivilege.SELECT)));
        String operation = statement.has(HiveParser.TOK_QUERY) ? "CREATETABLE_AS_SELECT" : "CREATETABLE";
        return StatementNeeds.of(operation).and(needs);
    }

    /** CREATE VIEW, which needs the right to pass on what its query reads. */
    static StatementNeeds createView(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        List<AccessNeed> needs =
                new ArrayList<>(NamedObjects.onDatabase(name.database(), context, RequiredPrivilege.OWNERSHIP));
        if (statement.has(HiveParser.TOK_ORREPLACE)) {
            needs.addAll(NamedObjects.onTable(statement.child(0), context, RequiredPrivilege.OWNERSHIP));
        }
        return StatementNeeds.of("CREATEVIEW").and(needs).reading(RequiredPrivilege.SELECT_WITH_GRANT);
    }

    static StatementNeeds dropTable(SyntaxNode statement, StatementContext context) {
        return StatementNeeds.of("DROPTABLE")
                .and(NamedObjects.onTable(statement.child(0), context, RequiredPrivilege.OWNERSHIP));
    }

    static StatementNeeds dropView(SyntaxNode statement, StatementContext context) {
        return twice("DROPVIEW", statement.child(0), context);
    }

    /** Hive reports the ownership of an object that is read and changed twice. */
    static StatementNeeds twice(String operation, SyntaxNode table, StatementContext context) {
        List<AccessNeed> once = NamedObjects.onTable(table, context, RequiredPrivilege.OWNERSHIP);
        return StatementNeeds.of(operation).and(once).and(once);
    }

    static StatementNeeds createDatabase(SyntaxNode statement, StatementContext context) {
        return StatementNeeds.of("CREATEDATABASE").and(NamedObjects.onPaths(statement));
    }

    /** DROP DATABASE, which with CASCADE needs the ownership of all its tables too. */
    static StatementNeeds dropDatabase(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.identifier(statement.child(0));
        List<AccessNeed> needs = new ArrayList<>(NamedObjects.onDatabase(name, context, RequiredPrivilege.OWNERSHIP));
        if (!needs.isEmpty() && statement.has(HiveParser.TOK_CASCADE)) {
            List<String> names = context.catalog().tables(name);
            for (Table table : context.services().catalog().tablesByName(name, names)) {
                needs.add(AccessNeed.of(new OfTable(table), RequiredPrivilege.OWNERSHIP));
            }
        }
        return StatementNeeds.of("DROPDATABASE").and(needs);
    }

    /** ALTER DATABASE, of any kind. */
    static AccessRule alterDatabase(String operation) {
        return (statement, context) -> StatementNeeds.of(operation)
                .and(NamedObjects.onDatabase(
                        SyntaxText.identifier(statement.child(0)), context, RequiredPrivilege.ADMIN));
    }

    /** A statement that only the role admin may run, such as CREATE FUNCTION. */
    static AccessRule admin(String operation) {
        return (statement, context) -> StatementNeeds.of(
                operation,
                AccessNeed.of(new OfServer("INPUT"), RequiredPrivilege.ADMIN),
                AccessNeed.of(new OfServer("OUTPUT"), RequiredPrivilege.ADMIN));
    }

    /** CREATE and DROP of macros, which Hive counts as objects of the current database. */
    static AccessRule macro(String operation) {
        return (statement, context) -> {
            String current = context.session().currentDatabase();
            List<AccessNeed> needs = NamedObjects.onDatabase(current, context, RequiredPrivilege.ADMIN);
            // The current database may have been dropped.
            return needs.isEmpty()
                    ? admin(operation).of(statement, context)
                    : StatementNeeds.of(operation).and(needs);
        };
    }
}
