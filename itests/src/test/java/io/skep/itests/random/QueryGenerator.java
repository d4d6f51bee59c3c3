package io.skep.itests.random;

import io.skep.itests.random.Expression.Call;
import io.skep.itests.random.Expression.Exists;
import io.skep.itests.random.Expression.InQuery;
import io.skep.itests.random.Expression.Literal;
import io.skep.itests.random.Expression.Scalar;
import io.skep.itests.random.Expression.SortKey;
import io.skep.itests.random.Expression.Window;
import io.skep.itests.random.Query.Grouping;
import io.skep.itests.random.Query.Select;
import io.skep.itests.random.Query.SetOperation;
import io.skep.itests.random.Query.Top;
import io.skep.itests.random.Query.With;
import io.skep.itests.random.Relation.Derived;
import io.skep.itests.random.Relation.Join;
import io.skep.itests.random.Relation.JoinKind;
import io.skep.itests.random.Relation.Named;
import io.skep.itests.random.Relation.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Generates random queries. The same random numbers produce the same queries. */
final class QueryGenerator {
    private static final long MAX_ROWS = 300_000;
    private static final long MAX_PAIRS = 100_000;
    private static final int DEPTH = 3;
    private static final String NAME = "w";
    private static final double PORTABLE_SHARE = 0.75;
    private static final List<String> DIRECTIONS =
            List.of("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST");
    private static final List<String> FRAMES = List.of(
            "",
            "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
            "ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING",
            "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
            "ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING",
            "ROWS BETWEEN 1 FOLLOWING AND 4 FOLLOWING",
            "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING");
    private static final List<String> RANGES = List.of(
            "",
            "RANGE BETWEEN 5 PRECEDING AND 2 FOLLOWING",
            "RANGE BETWEEN CURRENT ROW AND 10 FOLLOWING",
            "RANGE BETWEEN 20 PRECEDING AND 3 PRECEDING",
            "RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING",
            "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING");
    private static final List<JoinKind> JOINS = List.of(
            JoinKind.INNER, JoinKind.INNER, JoinKind.LEFT, JoinKind.LEFT, JoinKind.RIGHT, JoinKind.FULL, JoinKind.SEMI);
    private static final List<String> SETS =
            List.of("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL");

    private final RandomGenerator random;
    private final ExpressionGenerator expressions;

    /** The common table expression of the query, if there is one. */
    private Optional<Query> named = Optional.empty();

    private int aliases;

    QueryGenerator(RandomGenerator random) {
        this.random = random;
        this.expressions = new ExpressionGenerator(random, chance(PORTABLE_SHARE));
    }

    /** Returns a query of any kind. */
    Query query() {
        if (chance(0.1)) {
            Query first = select(0);
            named = Optional.of(first);
            Query query = unnamed();
            named = Optional.empty();
            return new With(NAME, first, query);
        }
        return unnamed();
    }

    private Query unnamed() {
        Query query = chance(0.15) ? setOperation() : select(2);
        return chance(0.3) ? top(query) : query;
    }

    /** Returns a query of rows with a WHERE, neither grouped nor distinct. */
    Select filter() {
        Relation from = relation(1);
        return new Select(
                false,
                items(from.columns()),
                from,
                Optional.of(where(from.columns(), 1)),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns a query of scalar expressions over one table. */
    Select scalars() {
        Scan from = scan();
        List<Expression> items = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            items.add(expressions.scalar(kind, from.columns(), DEPTH));
        }
        return new Select(false, items, from, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns a query of groups with a HAVING. */
    Select groups() {
        return grouped(relation(1), Optional.empty(), true);
    }

    /** Returns a query of groups with a WHERE that contains no subqueries. */
    Select aggregates() {
        Relation from = relation(1);
        return grouped(from, Optional.of(expressions.predicate(from.columns(), DEPTH)), false);
    }

    /**
     * Returns a query of groups over a large table that is joined with others. The keys are columns of the other
     * tables, the aggregates are over the large table.
     */
    Select star() {
        Scan facts = new Scan(RandomTables.FACTS, alias());
        Relation from = facts;
        List<Expression> others = new ArrayList<>();
        int joins = 1 + random.nextInt(2);
        for (int i = 0; i < joins; i++) {
            Scan other = scan();
            others.addAll(other.columns());
            JoinKind kind = expressions.pick(List.of(JoinKind.INNER, JoinKind.INNER, JoinKind.LEFT, JoinKind.RIGHT));
            from = new Join(
                    from, kind, other, Optional.of(equality(facts, other, from.rows() * other.rows() > MAX_ROWS)));
        }
        List<Expression> keys = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            Expression key = chance(0.8) ? expressions.pick(others) : expressions.pick(facts.columns());
            if (!keys.contains(key)) {
                keys.add(key);
            }
        }
        List<Expression> items = new ArrayList<>(keys);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            items.add(expressions.aggregate(expressions.kind(), facts.columns(), DEPTH - 2));
        }
        Grouping.Shape shape = shape(keys.size());
        Optional<Expression> where =
                chance(0.4) ? Optional.of(expressions.predicate(from.columns(), 2)) : Optional.empty();
        Optional<Grouping> grouping = keys.isEmpty() ? Optional.empty() : Optional.of(new Grouping(shape, keys));
        return new Select(false, items, from, where, grouping, Optional.empty());
    }

    private Select select(int nesting) {
        Relation from = relation(nesting);
        Optional<Expression> where = chance(0.7) ? Optional.of(where(from.columns(), nesting)) : Optional.empty();
        return switch (random.nextInt(6)) {
            case 0, 1 -> grouped(from, where, chance(0.3));
            case 2 -> windowed(from, where);
            default -> new Select(chance(0.2), items(from.columns()), from, where, Optional.empty(), Optional.empty());
        };
    }

    private List<Expression> items(List<Expression> leaves) {
        List<Expression> items = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            items.add(item(leaves));
        }
        return items;
    }

    private Expression item(List<Expression> leaves) {
        if (chance(0.4)) {
            return expressions.pick(leaves);
        }
        return chance(0.05) ? value(leaves, 0) : expressions.scalar(expressions.kind(), leaves, DEPTH);
    }

    private Select grouped(Relation from, Optional<Expression> where, boolean having) {
        List<Expression> leaves = from.columns();
        List<Expression> keys = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            Expression key =
                    chance(0.6) ? expressions.pick(leaves) : expressions.scalar(expressions.kind(), leaves, DEPTH - 1);
            if (!(key instanceof Literal) && !keys.contains(key)) {
                keys.add(key);
            }
        }
        List<Expression> outputs = new ArrayList<>(keys);
        int aggregates = 1 + random.nextInt(3);
        for (int i = 0; i < aggregates; i++) {
            outputs.add(expressions.aggregate(expressions.kind(), leaves, DEPTH - 1));
        }
        List<Expression> items = new ArrayList<>(outputs);
        if (chance(0.3)) {
            items.add(expressions.scalar(expressions.kind(), outputs, DEPTH - 1));
        }
        Grouping.Shape shape = shape(keys.size());
        if (shape != Grouping.Shape.PLAIN) {
            items.add(new Call(Forms.GROUPING, List.of(expressions.pick(keys))));
        } else if (!keys.isEmpty() && chance(0.2)) {
            items.add(window(outputs, keys));
        }
        return new Select(
                false,
                items,
                from,
                where,
                keys.isEmpty() ? Optional.empty() : Optional.of(new Grouping(shape, keys)),
                having ? Optional.of(expressions.predicate(outputs, DEPTH - 1)) : Optional.empty());
    }

    /** Returns a shape whose grouping sets are all different, because Hive computes two equal sets only once. */
    private Grouping.Shape shape(int keys) {
        return keys < 2 || chance(0.6) ? Grouping.Shape.PLAIN : expressions.pick(List.of(Grouping.Shape.values()));
    }

    private Select windowed(Relation from, Optional<Expression> where) {
        List<Expression> leaves = from.columns();
        List<Expression> items = new ArrayList<>();
        items.add(expressions.pick(leaves));
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            items.add(window(
                    leaves, leaves.stream().filter(Expressions::distinguishes).toList()));
        }
        return new Select(false, items, from, where, Optional.empty(), Optional.empty());
    }

    /**
     * Returns a window function. Rows with equal keys are equal.
     *
     * @param keys all of them are in the sort order, since frames of rows and row numbers depend on it
     */
    private Expression window(List<Expression> leaves, List<Expression> keys) {
        List<Expression> partition = new ArrayList<>();
        if (chance(0.7)) {
            partition.add(chance(0.7) ? expressions.pick(leaves) : expressions.scalar(expressions.kind(), leaves, 1));
        }
        List<Expression> numbers =
                leaves.stream().filter(leaf -> leaf.kind() == Kind.INTEGER).toList();
        if (!numbers.isEmpty() && chance(0.2)) {
            SortKey key = new SortKey(expressions.pick(numbers), direction());
            return new Window(expressions.range(leaves, 2), partition, List.of(key), expressions.pick(RANGES));
        }
        List<SortKey> order = new ArrayList<>();
        order.add(new SortKey(expressions.pick(leaves), direction()));
        keys.forEach(key -> order.add(new SortKey(key, direction())));
        Expression function = expressions.window(expressions.kind(), leaves, 2);
        boolean framed = function instanceof Call call && Expressions.takesFrame(call.form());
        return new Window(function, partition, order, framed ? expressions.pick(FRAMES) : "");
    }

    private String direction() {
        return expressions.pick(DIRECTIONS);
    }

    private Query setOperation() {
        Query left = select(1);
        Relation from = relation(1);
        List<Expression> items = left.kinds().stream()
                .map(kind -> expressions.scalar(kind, from.columns(), DEPTH - 1))
                .toList();
        Optional<Expression> where = chance(0.6) ? Optional.of(where(from.columns(), 1)) : Optional.empty();
        Query right = new Select(chance(0.2), items, from, where, Optional.empty(), Optional.empty());
        return new SetOperation(expressions.pick(SETS), left, right);
    }

    private Query top(Query query) {
        List<String> directions =
                Stream.generate(this::direction).limit(query.kinds().size()).toList();
        return new Top(query, directions, chance(0.2) ? random.nextInt(20) : 0, 1 + random.nextInt(40));
    }

    private Relation relation(int nesting) {
        Relation relation = source(nesting);
        while (chance(0.35) && relation.rows() < MAX_ROWS) {
            relation = join(relation, source(nesting - 1));
        }
        return relation;
    }

    private Relation source(int nesting) {
        if (named.isPresent() && chance(0.6)) {
            return new Named(NAME, named.get().kinds(), alias(), MAX_PAIRS / 50);
        }
        if (nesting > 0 && chance(0.15)) {
            Query query = chance(0.3) ? top(select(nesting - 1)) : select(nesting - 1);
            return new Derived(query, alias(), MAX_PAIRS / 50);
        }
        return scan();
    }

    private Scan scan() {
        return new Scan(expressions.pick(RandomTables.ALL), alias());
    }

    private String alias() {
        return "q" + aliases++;
    }

    private Relation join(Relation left, Relation right) {
        List<Expression> both =
                Stream.concat(left.columns().stream(), right.columns().stream()).toList();
        if (left.rows() * right.rows() <= MAX_PAIRS && chance(0.15)) {
            return chance(0.4)
                    ? new Join(left, JoinKind.CROSS, right, Optional.empty())
                    : new Join(left, expressions.pick(JOINS), right, Optional.of(expressions.predicate(both, 2)));
        }
        Expression condition = equality(left, right, left.rows() * right.rows() > MAX_ROWS);
        if (chance(0.3)) {
            condition = new Call(Forms.AND, List.of(condition, expressions.predicate(both, 2)));
        } else if (chance(0.2)) {
            condition = new Call(Forms.AND, List.of(condition, equality(left, right, false)));
        }
        return new Join(left, expressions.pick(JOINS), right, Optional.of(condition));
    }

    /** @param selective whether one of the columns must be almost unique */
    private Expression equality(Relation left, Relation right, boolean selective) {
        List<Expression> keys = left.columns().stream()
                .filter(column -> selective ? Expressions.identifies(column) : Expressions.joins(column))
                .toList();
        Expression key = expressions.pick(keys.isEmpty() ? left.columns() : keys);
        List<Expression> same = right.columns().stream()
                .filter(column -> column.kind() == key.kind() && Expressions.joins(column))
                .toList();
        Expression other = same.isEmpty() ? expressions.scalar(key.kind(), right.columns(), 1) : expressions.pick(same);
        return new Call(Forms.equal(key.kind()), List.of(key, other));
    }

    private Expression where(List<Expression> leaves, int nesting) {
        Expression condition = expressions.predicate(leaves, DEPTH);
        if (nesting > 0 && chance(0.3)) {
            Expression subquery = subquery(leaves, nesting - 1);
            Form form = expressions.pick(List.of(Forms.AND, Forms.AND, Forms.OR));
            condition = chance(0.3) ? subquery : new Call(form, List.of(condition, subquery));
        }
        return condition;
    }

    private Expression subquery(List<Expression> leaves, int nesting) {
        Scan from = scan();
        List<Expression> inner = from.columns();
        Kind kind = expressions.pick(List.of(Kind.INTEGER, Kind.TEXT, Kind.DATE, Kind.DECIMAL));
        Optional<Expression> where = chance(0.8) ? Optional.of(where(inner, nesting)) : Optional.empty();
        return switch (random.nextInt(4)) {
            case 0 -> {
                Expression item = expressions.scalar(kind, inner, 1);
                Query query = new Select(false, List.of(item), from, where, Optional.empty(), Optional.empty());
                yield new InQuery(expressions.scalar(kind, leaves, 1), chance(0.4), query);
            }
            case 1, 2 -> {
                Optional<Expression> correlated = Expression.and(where, correlation(leaves, inner));
                Expression item = new Literal(Kind.INTEGER, "1");
                Query query = new Select(false, List.of(item), from, correlated, Optional.empty(), Optional.empty());
                yield new Exists(chance(0.4), query);
            }
            default -> {
                Expression value = value(leaves, nesting);
                yield new Call(Forms.less(value.kind()), List.of(expressions.scalar(value.kind(), leaves, 1), value));
            }
        };
    }

    /** Returns a scalar subquery with an ungrouped aggregate. */
    private Expression value(List<Expression> leaves, int nesting) {
        Scan from = scan();
        List<Expression> inner = from.columns();
        Optional<Expression> where = chance(0.8) ? Optional.of(where(inner, nesting)) : Optional.empty();
        Optional<Expression> condition = chance(0.5) ? Expression.and(where, correlation(leaves, inner)) : where;
        Expression item = expressions.aggregate(expressions.kind(), inner, 1);
        return new Scalar(
                item.kind(), new Select(false, List.of(item), from, condition, Optional.empty(), Optional.empty()));
    }

    private Expression correlation(List<Expression> outer, List<Expression> inner) {
        List<Expression> keys = inner.stream().filter(Expressions::joins).toList();
        Expression key = expressions.pick(keys);
        List<Expression> same =
                outer.stream().filter(column -> column.kind() == key.kind()).toList();
        return same.isEmpty()
                ? expressions.predicate(inner, 1)
                : new Call(Forms.equal(key.kind()), List.of(key, expressions.pick(same)));
    }

    private boolean chance(double share) {
        return random.nextDouble() < share;
    }
}
