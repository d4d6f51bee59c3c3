package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** One key of ORDER BY or SORT BY as written in the query. The grammar always fills in the position of nulls. */
record OrderKey(SyntaxNode expression, boolean ascending, boolean nullsFirst) {
    /** @param clause TOK_ORDERBY or TOK_SORTBY */
    static List<OrderKey> of(SyntaxNode clause) {
        return clause.children().stream().map(OrderKey::key).toList();
    }

    private static OrderKey key(SyntaxNode node) {
        boolean ascending = !node.is(HiveParser.TOK_TABSORTCOLNAMEDESC);
        SyntaxNode nulls = node.child(0);
        if (nulls.is(HiveParser.TOK_NULLS_FIRST) || nulls.is(HiveParser.TOK_NULLS_LAST)) {
            return new OrderKey(nulls.child(0), ascending, nulls.is(HiveParser.TOK_NULLS_FIRST));
        }
        return new OrderKey(nulls, ascending, !ascending);
    }

    RexFieldCollation collation(RexNode value) {
        Set<SqlKind> flags = EnumSet.of(nullsFirst ? SqlKind.NULLS_FIRST : SqlKind.NULLS_LAST);
        if (!ascending) {
            flags.add(SqlKind.DESCENDING);
        }
        return new RexFieldCollation(value, flags);
    }

    RelFieldCollation collation(int field) {
        return new RelFieldCollation(
                field,
                ascending ? RelFieldCollation.Direction.ASCENDING : RelFieldCollation.Direction.DESCENDING,
                nullsFirst ? RelFieldCollation.NullDirection.FIRST : RelFieldCollation.NullDirection.LAST);
    }
}
