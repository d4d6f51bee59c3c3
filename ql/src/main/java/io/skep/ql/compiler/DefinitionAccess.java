package io.skep.ql.compiler;

import io.skep.metastore.Table;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessNeed.Side;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.AccessedObject.OfFunction;
import io.skep.ql.authorize.AccessedObject.OfNewDatabase;
import io.skep.ql.authorize.AccessedObject.OfNewTable;
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
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The needs of CREATE and DROP. */
final class DefinitionAccess {
    private DefinitionAccess() {}

    /** CREATE TABLE with columns, LIKE another table, LIKE FILE, or AS a query. */
    static StatementNeeds createTable(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        List<AccessNeed> needs = new ArrayList<>(NamedObjects.onPaths(Side.INPUT, statement, context));
        if (NamedObjects.hasWord(statement, "temporary")) {
            needs.addAll(NamedObjects.onDatabase(Side.OUTPUT, name.database(), context));
        } else {
            needs.addAll(created(name, context));
        }
        needs.addAll(NamedObjects.onParents(statement, context));
        // Hive needs nothing on the table that LIKE names, whose columns the new table shows.
        statement
                .first(HiveParser.TOK_LIKETABLE)
                .filter(like -> like.childCount() > 0)
                .ifPresent(like -> needs.addAll(NamedObjects.onTable(
                        Side.INPUT, like.child(0), context, OfTable::anyColumn, RequiredPrivilege.SELECT)));
        statement
                .first(HiveParser.TOK_LIKEFILE)
                .ifPresent(like ->
                        needs.add(NamedObjects.onPath(Side.INPUT, SyntaxText.string(like.child(1)), false, context)));
        if (statement.has(HiveParser.TOK_STORAGEHANDLER)) {
            needs.add(throughHandler());
        }
        String operation = statement.has(HiveParser.TOK_QUERY) ? "CREATETABLE_AS_SELECT" : "CREATETABLE";
        return StatementNeeds.of(operation).and(needs);
    }

    /** Returns the needs on a table or view that is created, or that gets a new name. */
    static List<AccessNeed> created(TableName name, StatementContext context) {
        List<AccessNeed> needs = new ArrayList<>(
                NamedObjects.onDatabase(Side.OUTPUT, name.database(), context, RequiredPrivilege.OWNERSHIP));
        needs.add(AccessNeed.output(new OfNewTable(name.database(), name.table())));
        return needs;
    }

    /** CREATE VIEW, which needs the right to pass on what its query reads. */
    static StatementNeeds createView(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        List<AccessNeed> needs = new ArrayList<>(created(name, context));
        if (statement.has(HiveParser.TOK_ORREPLACE)) {
            needs.addAll(NamedObjects.onTable(Side.OUTPUT, statement.child(0), context, RequiredPrivilege.OWNERSHIP));
        }
        return StatementNeeds.of("CREATEVIEW").and(needs).reading(RequiredPrivilege.SELECT_WITH_GRANT);
    }

    static StatementNeeds dropTable(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        boolean exists = NamedObjects.table(name, context).isPresent();
        return StatementNeeds.of("DROPTABLE")
                .and(NamedObjects.onTable(Side.INPUT, statement.child(0), context))
                .and(exists ? NamedObjects.onDatabase(Side.OUTPUT, name.database(), context) : List.of())
                .and(NamedObjects.onTable(Side.OUTPUT, statement.child(0), context, RequiredPrivilege.OWNERSHIP));
    }

    /** DROP of views and ALTER of materialized ones, for their owners. */
    static AccessRule ofView(String operation) {
        return (statement, context) -> twice(operation, statement.child(0), context);
    }

    /** CREATE MATERIALIZED VIEW, whose rows others may read who cannot read the tables. */
    static StatementNeeds createMaterializedView(SyntaxNode statement, StatementContext context) {
        return StatementNeeds.of("CREATE_MATERIALIZED_VIEW")
                .and(created(TableName.of(statement.child(0), context), context))
                .and(NamedObjects.onPaths(Side.INPUT, statement, context))
                .and(NamedObjects.onParents(statement, context))
                .reading(RequiredPrivilege.SELECT_WITH_GRANT);
    }

    static StatementNeeds rebuildView(SyntaxNode statement, StatementContext context) {
        return twice("ALTER_MATERIALIZED_VIEW_REBUILD", statement.child(0), context)
                .reading(RequiredPrivilege.SELECT_WITH_GRANT);
    }

    /** Hive reports the ownership of an object that is read and changed twice. */
    static StatementNeeds twice(String operation, SyntaxNode table, StatementContext context) {
        return StatementNeeds.of(operation)
                .and(NamedObjects.onTable(Side.INPUT, table, context, RequiredPrivilege.OWNERSHIP))
                .and(NamedObjects.onTable(Side.OUTPUT, table, context, RequiredPrivilege.OWNERSHIP));
    }

    static StatementNeeds createDatabase(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.identifier(statement.child(0));
        return StatementNeeds.of("CREATEDATABASE", AccessNeed.output(new OfNewDatabase(name)))
                .and(NamedObjects.onPaths(Side.OUTPUT, statement, context));
    }

    /** DROP DATABASE, which with CASCADE needs the ownership of all its tables too. */
    static StatementNeeds dropDatabase(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.identifier(statement.child(0));
        List<AccessNeed> needs = new ArrayList<>(NamedObjects.onDatabase(Side.INPUT, name, context));
        needs.addAll(NamedObjects.onDatabase(Side.OUTPUT, name, context, RequiredPrivilege.OWNERSHIP));
        if (!needs.isEmpty() && statement.has(HiveParser.TOK_CASCADE)) {
            List<String> names = context.catalog().tables(name);
            for (Table table : context.services().catalog().tablesByName(name, names)) {
                needs.add(AccessNeed.output(new OfTable(table), RequiredPrivilege.OWNERSHIP));
            }
        }
        return StatementNeeds.of("DROPDATABASE").and(needs);
    }

    /** ALTER DATABASE, of any kind. */
    static AccessRule alterDatabase(String operation) {
        return (statement, context) -> StatementNeeds.of(operation)
                .and(NamedObjects.onDatabase(
                        Side.OUTPUT, SyntaxText.identifier(statement.child(0)), context, RequiredPrivilege.ADMIN));
    }

    /** ALTER DATABASE SET LOCATION and MANAGEDLOCATION. Only the role admin may do so, whatever the path is. */
    static StatementNeeds databaseLocation(SyntaxNode statement, StatementContext context) {
        AccessedObject path = NamedObjects.path(SyntaxText.string(statement.child(1)), false, context);
        return alterDatabase("ALTERDATABASE_LOCATION").of(statement, context).and(List.of(AccessNeed.output(path)));
    }

    /** CREATE and DROP of functions, for the role admin. */
    static AccessRule function(String operation) {
        return (statement, context) -> {
            boolean temporary = statement.has(HiveParser.TOK_TEMPORARY);
            String name = SyntaxText.functionName(statement.child(0));
            Optional<String> database = temporary
                    ? Optional.empty()
                    : Optional.of(
                            name.contains(".")
                                    ? name.substring(0, name.indexOf('.'))
                                    : context.session().currentDatabase());
            Optional<String> className = statement.is(HiveParser.TOK_CREATEFUNCTION)
                    ? Optional.of(SyntaxText.string(statement.child(1)))
                    : Optional.empty();
            return admin(operation)
                    .and(database.map(known -> NamedObjects.onDatabase(Side.INPUT, known, context))
                            .orElse(List.of()))
                    .and(List.of(AccessNeed.output(
                            new OfFunction(database, name.substring(name.indexOf('.') + 1), className))));
        };
    }

    /** The need of statements that say where a storage handler reads, which it does with the rights of the server. */
    static AccessNeed throughHandler() {
        return AccessNeed.output(new OfServer("OUTPUT"), RequiredPrivilege.ADMIN);
    }

    /** What only the role admin may do. */
    static StatementNeeds admin(String operation) {
        return StatementNeeds.of(
                operation,
                AccessNeed.input(new OfServer("INPUT"), RequiredPrivilege.ADMIN),
                AccessNeed.output(new OfServer("OUTPUT"), RequiredPrivilege.ADMIN));
    }

    /** CREATE and DROP of macros, which Hive counts as objects of the current database. */
    static AccessRule macro(String operation) {
        return (statement, context) -> {
            String current = context.session().currentDatabase();
            List<AccessNeed> needs = NamedObjects.onDatabase(Side.OUTPUT, current, context, RequiredPrivilege.ADMIN);
            // The current database may have been dropped.
            return needs.isEmpty()
                    ? admin(operation)
                    : StatementNeeds.of(operation).and(needs);
        };
    }
}
