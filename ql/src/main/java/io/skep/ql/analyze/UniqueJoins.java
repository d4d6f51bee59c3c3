package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Analyzes UNIQUEJOIN: all tables have keys, and rows with the same keys are joined. Keys that some tables lack stay if
 * all tables have them, or if one of those that are marked with PRESERVE has them. A null equals nothing.
 *
 * <p>It becomes a chain of full joins on the keys that the tables so far have, and a condition on which of the tables
 * have rows. Two tables need no condition.
 */
final class UniqueJoins {
    private final Environment environment;
    private final RelFactory factory;
    private final HiveRexBuilder rex;
    private final Optional<Resolver> outer;

    UniqueJoins(Environment environment, Optional<Resolver> outer) {
        this.environment = environment;
        this.outer = outer;
        this.factory = environment.factory();
        this.rex = factory.rex();
    }

    private record Source(SyntaxNode table, Scope scope, List<RexNode> keys, boolean preserved) {
        private Source {
            keys = List.copyOf(keys);
        }
    }

    /** @param node TOK_UNIQUEJOIN: for each table PRESERVE if it has it, the table, and TOK_EXPLIST */
    Scope analyze(SyntaxNode node, FromClause tables) {
        List<Source> sources = sources(node, tables);
        int keys = sources.getFirst().keys().size();
        if (sources.stream().anyMatch(source -> source.keys().size() != keys)) {
            throw SemanticErrors.plain(node, "Tables with different or invalid number of keys in UNIQUEJOIN");
        }
        List<SqlType> types = types(sources);
        JoinRelType type = type(sources);
        RelNode joined = keyed(sources.getFirst(), types);
        for (Source next : sources.subList(1, sources.size())) {
            joined = join(joined, keyed(next, types), keys, type);
        }
        List<ScopeColumn> columns = new ArrayList<>();
        sources.forEach(source -> columns.addAll(source.scope().columns()));
        return new Scope(factory, kept(joined, sources, type), columns, outer);
    }

    private List<Source> sources(SyntaxNode node, FromClause tables) {
        List<Source> sources = new ArrayList<>();
        boolean preserved = false;
        for (int i = 0; i < node.childCount(); i++) {
            SyntaxNode child = node.child(i);
            if (child.is(HiveParser.TOK_TABREF)) {
                Scope scope = tables.analyze(child);
                refuseSecond(child, scope, sources);
                ExpressionAnalyzer expressions = new ExpressionAnalyzer(environment, scope, Optional.empty());
                List<RexNode> keys = expressions.analyze(node.child(i + 1).children());
                sources.add(new Source(child, scope, keys, preserved));
            }
            preserved = child.is(HiveParser.KW_PRESERVE);
        }
        return sources;
    }

    private static void refuseSecond(SyntaxNode table, Scope scope, List<Source> sources) {
        String alias = scope.columns().getFirst().table();
        if (sources.stream().anyMatch(source -> source.scope().hasTable(alias))) {
            throw SemanticErrors.at(FromClause.alias(table), ErrorMsg.AMBIGUOUS_TABLE_ALIAS)
                    .withHint("give one of them another alias");
        }
    }

    /** Returns the types in which keys are compared. */
    private static List<SqlType> types(List<Source> sources) {
        List<SqlType> types = new ArrayList<>(
                sources.getFirst().keys().stream().map(ExpressionAnalyzer::type).toList());
        for (Source source : sources) {
            for (int i = 0; i < types.size(); i++) {
                types.set(
                        i,
                        Comparisons.commonType(
                                source.table(),
                                types.get(i),
                                ExpressionAnalyzer.type(source.keys().get(i))));
            }
        }
        return types;
    }

    private static JoinRelType type(List<Source> sources) {
        boolean first = sources.getFirst().preserved();
        boolean last = sources.getLast().preserved();
        if (sources.stream().noneMatch(Source::preserved)) {
            return JoinRelType.INNER;
        }
        if (sources.size() > 2 || first && last) {
            return JoinRelType.FULL;
        }
        return first ? JoinRelType.LEFT : JoinRelType.RIGHT;
    }

    /** Returns a table's columns, a mark that is null in rows that other tables have added, and its keys. */
    private RelNode keyed(Source source, List<SqlType> types) {
        Scope scope = source.scope();
        List<RexNode> values = new ArrayList<>(factory.columns(scope.rel()));
        values.add(rex.constant(Datum.ofBoolean(true), PrimitiveType.BOOLEAN));
        for (int i = 0; i < types.size(); i++) {
            values.add(rex.cast(source.keys().get(i), types.get(i)));
        }
        return Projections.project(
                factory, scope, values, scope.rel().getRowType().getFieldNames());
    }

    /** Joins rows that end with keys. So do the joined rows: their keys are those of the side that has them. */
    private RelNode join(RelNode left, RelNode right, int keys, JoinRelType type) {
        int leftCount = left.getRowType().getFieldCount() - keys;
        int rightCount = right.getRowType().getFieldCount() - keys;
        List<RexNode> pair = factory.columns(create(left, right, rex.makeLiteral(true), JoinRelType.INNER));
        List<RexNode> equal = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            RexNode rightKey = pair.get(leftCount + keys + rightCount + i);
            equal.add(rex.makeCall(SqlStdOperatorTable.EQUALS, pair.get(leftCount + i), rightKey));
        }
        RelNode joined = create(left, right, RexUtil.composeConjunction(rex, equal), type);
        List<RexNode> fields = factory.columns(joined);
        List<RexNode> kept = new ArrayList<>(fields.subList(0, leftCount));
        kept.addAll(fields.subList(leftCount + keys, leftCount + keys + rightCount));
        for (int i = 0; i < keys; i++) {
            RexNode key = fields.get(leftCount + i);
            kept.add(rex.makeCall(
                    SqlStdOperatorTable.CASE, isPresent(key), key, fields.get(leftCount + keys + rightCount + i)));
        }
        return Projections.project(factory, unnamed(joined), kept, List.of());
    }

    private static RelNode create(RelNode left, RelNode right, RexNode condition, JoinRelType type) {
        return LogicalJoin.create(left, right, List.of(), condition, Set.of(), type);
    }

    private RexNode isPresent(RexNode value) {
        return rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, value);
    }

    private Scope unnamed(RelNode rel) {
        List<ScopeColumn> columns = rel.getRowType().getFieldNames().stream()
                .map(name -> ScopeColumn.of("", name))
                .toList();
        return new Scope(factory, rel, columns, Optional.empty());
    }

    /** Returns the tables' columns of the rows that stay. */
    private RelNode kept(RelNode joined, List<Source> sources, JoinRelType type) {
        List<RexNode> columns = new ArrayList<>();
        List<RexNode> all = new ArrayList<>();
        List<RexNode> enough = new ArrayList<>();
        int at = 0;
        for (Source source : sources) {
            int mark = at + source.scope().columns().size();
            columns.addAll(factory.columns(joined).subList(at, mark));
            RexNode present = isPresent(factory.column(joined, mark));
            all.add(present);
            if (source.preserved()) {
                enough.add(present);
            }
            at = mark + 1;
        }
        enough.add(RexUtil.composeConjunction(rex, all));
        boolean decided = type != JoinRelType.FULL || sources.stream().allMatch(Source::preserved);
        RelNode rows = decided ? joined : LogicalFilter.create(joined, RexUtil.composeDisjunction(rex, enough));
        return Projections.project(factory, unnamed(rows), columns, List.of());
    }
}
