package io.skep.ql.insert;

import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Compiles a MERGE that only adds rows to a table without row identifiers, which Hive allows: an INSERT of the rows of
 * the source for which an outer join finds no row of the target.
 */
final class MergeAsInsert {
    private static final HiveSqlParser PARSER = new HiveSqlParser(Map.of());

    /** A column that tells rows of the target from missing ones. No column of a Hive table has this name. */
    private static final String FOUND = "$found";

    private final ChangedTable target;
    private final StatementContext context;

    MergeAsInsert(ChangedTable target, StatementContext context) {
        this.target = target;
        this.context = context;
    }

    SqlStatement compile(SyntaxNode statement) {
        context.access().check();
        HiddenRows.refuseChange(target.table(), target.name(), context);
        SyntaxNode clause = statement.first(HiveParser.TOK_NOT_MATCHED).orElseThrow();
        Optional<SyntaxNode> condition = clause.childCount() > 1 ? Optional.of(clause.child(1)) : Optional.empty();
        SyntaxNode missing = ChangeSyntax.expression("a is null");
        List<SyntaxNode> operands = new ArrayList<>(missing.children());
        operands.set(operands.size() - 1, target.column(FOUND));
        SyntaxNode where = ChangeSyntax.and(missing.withChildren(operands), condition);
        SyntaxNode source = ChangeSyntax.join(statement.child(1), rows(), statement.child(2), true);
        return new QueryHandler().compile(insert(source, target.inserted(clause.child(0), context), where), context);
    }

    /** Returns the rows of the target, with the mark that they are there. */
    private SyntaxNode rows() {
        String text = "select a from (select *, true as " + HiveSqlParser.quoted(FOUND) + " from " + table() + ") "
                + HiveSqlParser.quoted(target.alias());
        return PARSER.parse(text).first(HiveParser.TOK_FROM).orElseThrow().child(0);
    }

    private String table() {
        Table table = target.table();
        return HiveSqlParser.quoted(table.database(), table.name());
    }

    private SyntaxNode insert(SyntaxNode source, List<SyntaxNode> values, SyntaxNode where) {
        SyntaxNode template = PARSER.parse("insert into table " + table() + " select a from b where c");
        SyntaxNode insert = template.first(HiveParser.TOK_INSERT).orElseThrow();
        SyntaxNode query = ChangeSyntax.query(
                source,
                values,
                Optional.of(insert.first(HiveParser.TOK_WHERE).orElseThrow().withChildren(List.of(where))));
        SyntaxNode selected = query.first(HiveParser.TOK_INSERT).orElseThrow();
        List<SyntaxNode> clauses = new ArrayList<>(selected.children());
        clauses.set(0, insert.child(0));
        return query.withChildren(List.of(query.child(0), selected.withChildren(clauses)));
    }
}
