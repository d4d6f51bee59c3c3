package io.skep.ql.compiler;

import io.skep.metastore.Table;
import io.skep.ql.authorize.AccessNeed.Side;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableName;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The needs of ALTER TABLE and ALTER VIEW, by clause. A clause without another rule needs the ownership. */
final class AlterAccess {
    /** Operations of Hive whose names are not those of the clause. */
    private static final Map<String, String> OPERATIONS = Map.ofEntries(
            Map.entry("ALTERTABLE_DROPPROPERTIES", "ALTERTABLE_PROPERTIES"),
            Map.entry("ALTERVIEW_DROPPROPERTIES", "ALTERVIEW_PROPERTIES"),
            Map.entry("ALTERTABLE_ROWFILTER", "ALTERTABLE_PROPERTIES"),
            Map.entry("ALTERTABLE_MASK", "ALTERTABLE_PROPERTIES"),
            Map.entry("ALTERTABLE_SETSERDEPROPERTIES", "ALTERTABLE_SERDEPROPERTIES"),
            Map.entry("ALTERTABLE_UNSETSERDEPROPERTIES", "ALTERTABLE_SERDEPROPERTIES"),
            Map.entry("ALTERPARTITION_SETSERDEPROPERTIES", "ALTERPARTITION_SERDEPROPERTIES"),
            Map.entry("ALTERPARTITION_UNSETSERDEPROPERTIES", "ALTERPARTITION_SERDEPROPERTIES"),
            Map.entry("ALTERTABLE_BUCKETS", "ALTERTABLE_BUCKETNUM"),
            Map.entry("ALTERPARTITION_BUCKETS", "ALTERPARTITION_BUCKETNUM"),
            Map.entry("ALTERTABLE_UPDATECOLSTATS", "ALTERTABLE_UPDATETABLESTATS"),
            Map.entry("ALTERPARTITION_UPDATECOLSTATS", "ALTERTABLE_UPDATEPARTSTATS"),
            Map.entry("ALTERTABLE_UPDATESTATS", "ALTERTABLE_UPDATETABLESTATS"),
            Map.entry("ALTERPARTITION_UPDATESTATS", "ALTERTABLE_UPDATEPARTSTATS"),
            Map.entry("ALTERVIEW_ADDPARTS", "ALTERTABLE_ADDPARTS"),
            Map.entry("ALTERVIEW_DROPPARTS", "ALTERTABLE_DROPPARTS"));

    private AlterAccess() {}

    static StatementNeeds alter(SyntaxNode statement, StatementContext context) {
        SyntaxNode table = statement.child(0);
        SyntaxNode clause = statement.child(1);
        String words = clause.text().replaceFirst("^TOK_", "");
        String operation = OPERATIONS.getOrDefault(words, words);
        return needs(operation, table, clause, context)
                .and(NamedObjects.onPaths(
                        clause.is(HiveParser.TOK_ALTERTABLE_ADDPARTS) ? Side.INPUT : Side.OUTPUT, statement, context))
                .and(NamedObjects.onParents(statement, context));
    }

    private static StatementNeeds needs(
            String operation, SyntaxNode table, SyntaxNode clause, StatementContext context) {
        return switch (clause.type()) {
            case HiveParser.TOK_ALTERTABLE_ADDPARTS, HiveParser.TOK_ALTERVIEW_ADDPARTS ->
                on(operation, table, context, RequiredPrivilege.INSERT);
            case HiveParser.TOK_ALTERTABLE_DROPPARTS, HiveParser.TOK_ALTERVIEW_DROPPARTS ->
                on(operation, table, context, RequiredPrivilege.DELETE)
                        .and(NamedObjects.onTable(Side.INPUT, table, context));
            case HiveParser.TOK_ALTERTABLE_LOCATION, HiveParser.TOK_ALTERPARTITION_LOCATION ->
                on(operation, table, context, RequiredPrivilege.OWNERSHIP)
                        .and(NamedObjects.onTable(
                                Side.INPUT,
                                table,
                                context,
                                RequiredPrivilege.SELECT,
                                RequiredPrivilege.INSERT,
                                RequiredPrivilege.DELETE));
            case HiveParser.TOK_ALTERTABLE_EXCHANGEPARTITION ->
                on(operation, table, context, RequiredPrivilege.INSERT)
                        .and(NamedObjects.onTable(
                                Side.INPUT,
                                clause.child(1),
                                context,
                                RequiredPrivilege.SELECT,
                                RequiredPrivilege.DELETE));
            case HiveParser.TOK_ALTERTABLE_RENAME, HiveParser.TOK_ALTERVIEW_RENAME -> {
                TableName name = TableName.of(clause.child(0), context);
                yield DefinitionAccess.twice(operation, table, context).and(DefinitionAccess.created(name, context));
            }
            case HiveParser.TOK_ALTERVIEW_AS -> {
                String database = TableName.of(table, context).database();
                yield on(operation, table, context, RequiredPrivilege.OWNERSHIP)
                        .and(NamedObjects.onDatabase(Side.OUTPUT, database, context, RequiredPrivilege.OWNERSHIP))
                        .reading(RequiredPrivilege.SELECT_WITH_GRANT);
            }
            // Each reader of the table also reads what the subqueries of its policies read.
            case SyntaxNode.ROW_FILTER, SyntaxNode.MASK ->
                DefinitionAccess.twice(operation, table, context).reading(RequiredPrivilege.SELECT_WITH_GRANT);
            case HiveParser.TOK_ALTERTABLE_PROPERTIES, HiveParser.TOK_ALTERTABLE_DROPPROPERTIES -> {
                boolean isForeign = NamedObjects.table(TableName.of(table, context), context)
                        .flatMap(Table::storageHandler)
                        .isPresent();
                yield DefinitionAccess.twice(operation, table, context)
                        .and(isForeign ? List.of(DefinitionAccess.throughHandler()) : List.of());
            }
            default -> DefinitionAccess.twice(operation, table, context);
        };
    }

    private static StatementNeeds on(
            String operation, SyntaxNode table, StatementContext context, RequiredPrivilege privilege) {
        return StatementNeeds.of(operation).and(NamedObjects.onTable(Side.OUTPUT, table, context, privilege));
    }
}
