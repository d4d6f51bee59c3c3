package io.skep.ql.compiler;

import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessNeed.Side;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.AccessedObject.OfDatabase;
import io.skep.ql.authorize.AccessedObject.OfPath;
import io.skep.ql.authorize.AccessedObject.OfTable;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.storage.serde.SerdeColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Finds the objects that a statement names, for its needs. */
final class NamedObjects {
    /** Clauses whose first child is a path. */
    private static final List<Integer> LOCATIONS = List.of(
            HiveParser.TOK_TABLELOCATION,
            HiveParser.TOK_DATABASELOCATION,
            HiveParser.TOK_DATABASE_MANAGEDLOCATION,
            HiveParser.TOK_PARTITIONLOCATION,
            HiveParser.TOK_ALTERTABLE_LOCATION,
            HiveParser.TOK_ALTERPARTITION_LOCATION);

    /** The property of a table whose value is a path that the server reads. */
    private NamedObjects() {}

    static Optional<Table> table(TableName name, StatementContext context) {
        return context.session().table(name.database(), name.table());
    }

    /** @param name TOK_TABNAME */
    static Optional<Table> table(SyntaxNode name, StatementContext context) {
        return table(TableName.of(name, context), context);
    }

    /** Returns the needs on a table, if it exists. */
    static List<AccessNeed> onTable(
            Side side, SyntaxNode name, StatementContext context, RequiredPrivilege... privileges) {
        return onTable(side, name, context, OfTable::new, privileges);
    }

    /** Like the other, with the columns and the way in which the table is accessed. */
    static List<AccessNeed> onTable(
            Side side,
            SyntaxNode name,
            StatementContext context,
            Function<Table, AccessedObject> object,
            RequiredPrivilege... privileges) {
        return table(name, context).map(table -> new AccessNeed(side, object.apply(table), Set.of(privileges))).stream()
                .toList();
    }

    /** Returns the needs on a database, if it exists. */
    static List<AccessNeed> onDatabase(
            Side side, String name, StatementContext context, RequiredPrivilege... privileges) {
        return context
                .catalog()
                .database(name)
                .map(database -> new AccessNeed(side, new OfDatabase(database), Set.of(privileges)))
                .stream()
                .toList();
    }

    /**
     * Returns the needs on all paths that the clauses of a statement name.
     *
     * @param side whether the statement reads what is there, or the path is for what it makes
     */
    static List<AccessNeed> onPaths(Side side, SyntaxNode statement, StatementContext context) {
        List<AccessNeed> needs = new ArrayList<>();
        for (int clause : LOCATIONS) {
            for (SyntaxNode location : clauses(statement, clause)) {
                needs.add(onPath(side, SyntaxText.string(location.child(0)), false, context));
            }
        }
        for (SyntaxNode property : statement.descendants(HiveParser.TOK_TABLEPROPERTY)) {
            if (property.childCount() > 1
                    && SyntaxText.string(property.child(0)).equalsIgnoreCase(SerdeColumns.SCHEMA_URL)) {
                needs.add(onPath(Side.INPUT, SyntaxText.string(property.child(1)), false, context));
            }
        }
        return needs;
    }

    /** Returns the needs on the tables that foreign keys refer to. */
    static List<AccessNeed> onParents(SyntaxNode statement, StatementContext context) {
        return statement.descendants(HiveParser.TOK_FOREIGN_KEY).stream()
                .flatMap(key -> key.descendants(HiveParser.TOK_TABNAME).stream())
                .flatMap(name ->
                        onTable(Side.INPUT, name, context, OfTable::anyColumn, RequiredPrivilege.SELECT).stream())
                .toList();
    }

    private static List<SyntaxNode> clauses(SyntaxNode statement, int type) {
        List<SyntaxNode> found = new ArrayList<>(statement.descendants(type));
        if (statement.is(type)) {
            found.add(statement);
        }
        return found;
    }

    /** @param local whether a path without a scheme is on the server's machine */
    static AccessNeed onPath(Side side, String path, boolean local, StatementContext context) {
        return new AccessNeed(
                side,
                path(path, local, context),
                Set.of(RequiredPrivilege.SELECT, RequiredPrivilege.INSERT, RequiredPrivilege.DELETE));
    }

    /** @param local whether a path without a scheme is on the server's machine */
    static OfPath path(String path, boolean local, StatementContext context) {
        String written = local && path.startsWith("/") ? "file:" + path : path;
        try {
            return new OfPath(path, context.services().paths().path(written).toString());
        } catch (SkepException e) {
            // The statement refuses the path by itself.
            return new OfPath(path, path);
        }
    }

    /** Whether one of a statement's words is this one. */
    static boolean hasWord(SyntaxNode statement, String word) {
        return statement.children().stream().anyMatch(child -> child.text().equalsIgnoreCase(word));
    }
}
