package io.skep.ql.compiler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessNeed.Side;
import io.skep.ql.authorize.AccessedObject.Columns;
import io.skep.ql.authorize.AccessedObject.OfTable;
import io.skep.ql.authorize.AccessedObject.Write;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.insert.DirectoryDestination;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The needs of queries, and of statements that write rows. What queries read is added when they are analyzed. */
final class QueryAccess {
    private QueryAccess() {}

    /** A query, or an INSERT with any number of destinations. */
    static StatementNeeds query(SyntaxNode statement, StatementContext context) {
        List<AccessNeed> needs = new ArrayList<>();
        for (SyntaxNode destination : statement.descendants(HiveParser.TOK_DESTINATION)) {
            needs.addAll(destination(destination.child(0), true, context));
        }
        for (SyntaxNode destination : statement.descendants(HiveParser.TOK_INSERT_INTO)) {
            needs.addAll(destination(destination.child(0), false, context));
        }
        return StatementNeeds.of("QUERY").and(needs);
    }

    private static List<AccessNeed> destination(SyntaxNode target, boolean overwrite, StatementContext context) {
        if (target.is(HiveParser.TOK_DIR)) {
            SyntaxNode path = target.child(0);
            return path.is(HiveParser.TOK_TMP_FILE)
                    ? List.of()
                    : directory(SyntaxText.string(path), NamedObjects.hasWord(target, "local"), context);
        }
        return written(target.child(0), overwrite, overwrite, context);
    }

    /** A path, and what an INSERT OVERWRITE of the table needs whose folder it is. */
    private static List<AccessNeed> directory(String path, boolean local, StatementContext context) {
        List<AccessNeed> needs = new ArrayList<>();
        needs.add(NamedObjects.onPath(Side.OUTPUT, path, local, context));
        owner(NamedObjects.path(path, local, context).resolved(), context)
                .ifPresent(owner -> needs.add(new AccessNeed(
                        Side.OUTPUT,
                        new OfTable(owner, new Columns.All(), Optional.of(Write.INSERT_OVERWRITE)),
                        Set.of(RequiredPrivilege.INSERT, RequiredPrivilege.DELETE))));
        return needs;
    }

    private static Optional<Table> owner(String location, StatementContext context) {
        try {
            return DirectoryDestination.ownerOf(location, context);
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.INVALID_PATH) {
                throw e;
            }
            // The statement refuses the path by itself.
            return Optional.empty();
        }
    }

    private static List<AccessNeed> written(
            SyntaxNode table, boolean overwrite, boolean deletes, StatementContext context) {
        Write write = overwrite ? Write.INSERT_OVERWRITE : Write.INSERT;
        RequiredPrivilege[] privileges = deletes
                ? new RequiredPrivilege[] {RequiredPrivilege.INSERT, RequiredPrivilege.DELETE}
                : new RequiredPrivilege[] {RequiredPrivilege.INSERT};
        return NamedObjects.onTable(
                Side.OUTPUT,
                table,
                context,
                found -> new OfTable(found, new Columns.All(), Optional.of(write)),
                privileges);
    }

    /** LOAD DATA, which needs DELETE also without OVERWRITE, as in Hive. */
    static StatementNeeds load(SyntaxNode statement, StatementContext context) {
        boolean overwrite = statement.children().stream()
                .skip(2)
                .anyMatch(child -> child.text().equalsIgnoreCase("overwrite"));
        boolean local = NamedObjects.hasWord(statement, "local");
        return StatementNeeds.of(
                        "LOAD", NamedObjects.onPath(Side.INPUT, SyntaxText.string(statement.child(0)), local, context))
                .and(written(statement.child(1).child(0), overwrite, true, context));
    }

    /** EXPORT, which reads all columns. */
    static StatementNeeds export(SyntaxNode statement, StatementContext context) {
        return StatementNeeds.of("EXPORT")
                .and(NamedObjects.onTable(Side.INPUT, statement.child(0).child(0), context, RequiredPrivilege.SELECT))
                .and(List.of(NamedObjects.onPath(Side.OUTPUT, SyntaxText.string(statement.child(1)), false, context)));
    }

    /** IMPORT, into a table that is new or known. */
    static StatementNeeds imported(SyntaxNode statement, StatementContext context) {
        List<AccessNeed> needs = new ArrayList<>();
        needs.add(NamedObjects.onPath(Side.INPUT, SyntaxText.string(statement.child(0)), false, context));
        needs.addAll(NamedObjects.onPaths(Side.INPUT, statement, context));
        statement.first(HiveParser.TOK_TAB).ifPresent(target -> {
            TableName name = TableName.of(target.child(0), context);
            List<AccessNeed> known =
                    NamedObjects.onTable(Side.OUTPUT, target.child(0), context, RequiredPrivilege.INSERT);
            needs.addAll(known.isEmpty() ? DefinitionAccess.created(name, context) : known);
        });
        return StatementNeeds.of("IMPORT").and(needs);
    }

    /** UPDATE, which needs the privilege on the columns that it sets. */
    static StatementNeeds update(SyntaxNode statement, StatementContext context) {
        SyntaxNode set = statement.first(HiveParser.TOK_SET_COLUMNS_CLAUSE).orElseThrow();
        return StatementNeeds.of("QUERY").and(updated(statement.child(0), set, context));
    }

    static StatementNeeds delete(SyntaxNode statement, StatementContext context) {
        return DeleteHandler.truncation(statement, context)
                .map(truncation -> TableAccess.truncate(truncation, context))
                .orElseGet(() -> StatementNeeds.of("QUERY").and(deleted(statement.child(0), context)));
    }

    /** MERGE, which needs what its clauses do. */
    static StatementNeeds merge(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(0).child(0);
        List<AccessNeed> needs = new ArrayList<>();
        for (SyntaxNode clause : statement.children()) {
            if (clause.is(HiveParser.TOK_NOT_MATCHED)) {
                needs.addAll(written(target, false, false, context));
            } else if (clause.is(HiveParser.TOK_MATCHED)) {
                SyntaxNode action = clause.child(0);
                needs.addAll(
                        action.is(HiveParser.TOK_UPDATE)
                                ? updated(target, action.child(0), context)
                                : deleted(target, context));
            }
        }
        return StatementNeeds.of("QUERY").and(needs);
    }

    private static List<AccessNeed> updated(SyntaxNode table, SyntaxNode set, StatementContext context) {
        List<String> columns = set.children().stream()
                .map(assignment -> SyntaxText.identifier(assignment.child(0).child(0)))
                .toList();
        return NamedObjects.onTable(
                Side.OUTPUT,
                table,
                context,
                found -> new OfTable(found, new Columns.Named(columns), Optional.of(Write.UPDATE)),
                RequiredPrivilege.UPDATE);
    }

    private static List<AccessNeed> deleted(SyntaxNode table, StatementContext context) {
        return NamedObjects.onTable(
                Side.OUTPUT,
                table,
                context,
                found -> new OfTable(found, new Columns.All(), Optional.of(Write.DELETE)),
                RequiredPrivilege.DELETE);
    }

    /** EXPLAIN needs what the explained statement needs. EXPLAIN AUTHORIZATION shows that, and needs nothing. */
    static StatementNeeds explained(SyntaxNode statement, StatementContext context) {
        SyntaxNode explained = statement.child(0);
        if (NamedObjects.hasWord(statement, "authorization")) {
            return StatementNeeds.unasked("EXPLAIN");
        }
        return StatementKinds.of(explained, context.access().ofSession())
                .needs()
                .of(explained, context);
    }

    /** ANALYZE TABLE, whose operation is a query in Hive, except for statistics of columns. */
    static StatementNeeds analyze(SyntaxNode statement, StatementContext context) {
        SyntaxNode table = statement.child(0).child(0);
        return StatementNeeds.of(NamedObjects.hasWord(statement, "columns") ? "ANALYZE_TABLE" : "QUERY")
                .and(NamedObjects.onTable(Side.OUTPUT, table, context, RequiredPrivilege.INSERT))
                .and(NamedObjects.onTable(Side.INPUT, table, context, RequiredPrivilege.SELECT));
    }
}
