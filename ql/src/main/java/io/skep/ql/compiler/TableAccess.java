package io.skep.ql.compiler;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessNeed.Side;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.AccessedObject.Columns;
import io.skep.ql.authorize.AccessedObject.OfTable;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The needs of SHOW and DESCRIBE of one table or database, and of TRUNCATE and MSCK. */
final class TableAccess {
    private TableAccess() {}

    static StatementNeeds truncate(SyntaxNode statement, StatementContext context) {
        return StatementNeeds.of("TRUNCATETABLE")
                .and(NamedObjects.onTable(
                        Side.OUTPUT, statement.child(0).child(0), context, RequiredPrivilege.OWNERSHIP));
    }

    static StatementNeeds repair(SyntaxNode statement, StatementContext context) {
        return StatementNeeds.of("MSCK")
                .and(statement.all(HiveParser.TOK_TABNAME).stream()
                        .flatMap(name ->
                                NamedObjects.onTable(Side.OUTPUT, name, context, RequiredPrivilege.INSERT).stream())
                        .toList());
    }

    /**
     * DESCRIBE of a table, which any of its columns allows; of a column, whose statistics tell of its values, the
     * column.
     */
    static StatementNeeds describe(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(0);
        List<String> column = target.children().stream()
                .skip(1)
                .filter(child -> !child.is(HiveParser.TOK_PARTSPEC))
                .map(child -> SyntaxText.identifier(leaf(child)))
                .toList();
        return shown("DESCTABLE", target.child(0), table -> named(table, column), context);
    }

    /** Returns the first token of a column's name, which may go on into its fields. */
    private static SyntaxNode leaf(SyntaxNode name) {
        return name.childCount() == 0 ? name : leaf(name.child(0));
    }

    /** SHOW PARTITIONS, which shows values of the partition columns. */
    static StatementNeeds partitions(SyntaxNode statement, StatementContext context) {
        return shown(
                "SHOWPARTITIONS",
                statement.child(0),
                table -> named(
                        table,
                        table.partitionKeys().stream().map(FieldSchema::name).toList()),
                context);
    }

    private static OfTable named(Table table, List<String> columns) {
        return new OfTable(table, new Columns.Named(columns), Optional.empty());
    }

    /** SHOW COLUMNS FROM table FROM database. */
    static StatementNeeds columns(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        for (int i = 1; i + 1 < statement.childCount(); i++) {
            if (statement.child(i).is(HiveParser.TOK_FROM)) {
                name = new TableName(SyntaxText.identifier(statement.child(i + 1)), name.table(), name.position());
            }
        }
        return StatementNeeds.of("SHOWCOLUMNS")
                .and(NamedObjects.table(name, context)
                        .map(table -> AccessNeed.input(OfTable.anyColumn(table), RequiredPrivilege.SELECT))
                        .stream()
                        .toList());
    }

    static StatementNeeds properties(SyntaxNode statement, StatementContext context) {
        return shown("SHOW_TBLPROPERTIES", statement.child(0), OfTable::anyColumn, context);
    }

    private static StatementNeeds shown(
            String operation, SyntaxNode table, Function<Table, AccessedObject> object, StatementContext context) {
        return StatementNeeds.of(operation)
                .and(NamedObjects.onTable(Side.INPUT, table, context, object, RequiredPrivilege.SELECT));
    }

    static StatementNeeds cached(SyntaxNode statement, StatementContext context) {
        SyntaxNode table = statement.child(0).child(0);
        return StatementNeeds.of("CACHE_METADATA")
                .and(NamedObjects.onTable(Side.INPUT, table, context, RequiredPrivilege.SELECT));
    }

    static StatementNeeds createdTable(SyntaxNode statement, StatementContext context) {
        return StatementNeeds.of("SHOW_CREATETABLE")
                .and(NamedObjects.onTable(
                        Side.INPUT, statement.child(0), context, RequiredPrivilege.SELECT_WITH_GRANT));
    }

    static StatementNeeds createdDatabase(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.identifier(statement.child(0));
        return StatementNeeds.of("SHOW_CREATEDATABASE")
                .and(NamedObjects.onDatabase(Side.INPUT, name, context, RequiredPrivilege.SELECT_WITH_GRANT));
    }

    /** A statement that everybody may run about a database. */
    static AccessRule database(String operation) {
        return (statement, context) -> StatementNeeds.of(operation)
                .and(NamedObjects.onDatabase(Side.INPUT, SyntaxText.identifier(statement.child(0)), context));
    }

    /** SHOW TABLES, of the current database or of another one. */
    static StatementNeeds tables(SyntaxNode statement, StatementContext context) {
        String database = context.session().currentDatabase();
        for (int i = 0; i + 1 < statement.childCount(); i++) {
            if (statement.child(i).is(HiveParser.TOK_FROM)) {
                database = SyntaxText.identifier(statement.child(i + 1));
            }
        }
        return StatementNeeds.of("SHOWTABLES").and(NamedObjects.onDatabase(Side.INPUT, database, context));
    }
}
