package io.skep.ql.insert;

import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Builds the query of an UPDATE, DELETE or MERGE: trees of the statement itself, with their positions, in trees that
 * are parsed here.
 */
final class ChangeSyntax {
    private static final HiveSqlParser PARSER = new HiveSqlParser(Map.of());

    private ChangeSyntax() {}

    static SyntaxNode expression(String text) {
        return PARSER.parseExpression(text);
    }

    /** Returns a column of a table by its alias. */
    static SyntaxNode column(String alias, String name) {
        return expression(HiveSqlParser.quoted(alias) + "." + HiveSqlParser.quoted(name));
    }

    static SyntaxNode and(SyntaxNode left, Optional<SyntaxNode> right) {
        return right.map(other -> expression("a and b").withChildren(List.of(left, other)))
                .orElse(left);
    }

    /** Returns {@code case when condition then value ... end}, which has no other value than NULL. */
    static SyntaxNode choice(List<SyntaxNode> conditions, List<SyntaxNode> values) {
        SyntaxNode template = expression("case when a then b end");
        List<SyntaxNode> children = new ArrayList<>(List.of(template.child(0)));
        for (int i = 0; i < conditions.size(); i++) {
            children.add(conditions.get(i));
            children.add(values.get(i));
        }
        return template.withChildren(children);
    }

    /**
     * @param source what follows FROM
     * @param where TOK_WHERE
     */
    static SyntaxNode query(SyntaxNode source, List<SyntaxNode> selected, Optional<SyntaxNode> where) {
        SyntaxNode template = PARSER.parse("select a from b");
        SyntaxNode from = template.first(HiveParser.TOK_FROM).orElseThrow();
        SyntaxNode insert = template.first(HiveParser.TOK_INSERT).orElseThrow();
        SyntaxNode select = insert.first(HiveParser.TOK_SELECT).orElseThrow();
        SyntaxNode item = select.child(0);
        SyntaxNode items = select.withChildren(
                selected.stream().map(one -> item.withChildren(List.of(one))).toList());
        List<SyntaxNode> clauses = new ArrayList<>(List.of(insert.child(0), items));
        where.ifPresent(clauses::add);
        return template.withChildren(List.of(from.withChildren(List.of(source)), insert.withChildren(clauses)));
    }

    /** Returns a table of FROM. */
    static SyntaxNode table(SyntaxNode name) {
        SyntaxNode from =
                PARSER.parse("select a from b").first(HiveParser.TOK_FROM).orElseThrow();
        return from.child(0).withChildren(List.of(name));
    }

    /** Returns the join of two relations; an outer one keeps all rows of the left side. */
    static SyntaxNode join(SyntaxNode left, SyntaxNode right, SyntaxNode condition, boolean outer) {
        SyntaxNode from = PARSER.parse("select a from b " + (outer ? "left outer " : "") + "join c on d")
                .first(HiveParser.TOK_FROM)
                .orElseThrow();
        return from.child(0).withChildren(List.of(left, right, condition));
    }
}
