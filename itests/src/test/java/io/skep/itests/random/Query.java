package io.skep.itests.random;

import static io.skep.itests.random.Expression.list;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A query whose columns are c0, c1 and so on. */
sealed interface Query extends Part<Query> {
    List<Kind> kinds();

    /** Whether the order of rows is part of the result. */
    default boolean ordered() {
        return false;
    }

    /** @param having a condition on groups; only allowed together with a grouping */
    record Select(
            boolean distinct,
            List<Expression> items,
            Relation from,
            Optional<Expression> where,
            Optional<Grouping> grouping,
            Optional<Expression> having)
            implements Query {
        public Select {
            items = List.copyOf(items);
        }

        Select withItems(List<Expression> changed) {
            return new Select(distinct, changed, from, where, grouping, having);
        }

        Select withDistinct(boolean changed) {
            return new Select(changed, items, from, where, grouping, having);
        }

        Select withFrom(Relation changed) {
            return new Select(distinct, items, changed, where, grouping, having);
        }

        Select withWhere(Optional<Expression> changed) {
            return new Select(distinct, items, from, changed, grouping, having);
        }

        Select withGrouping(Optional<Grouping> changed) {
            return new Select(distinct, items, from, where, changed, having);
        }

        Select withHaving(Optional<Expression> changed) {
            return new Select(distinct, items, from, where, grouping, changed);
        }

        @Override
        public List<Kind> kinds() {
            return items.stream().map(Expression::kind).toList();
        }

        @Override
        public String sql(Dialect dialect) {
            String columns = IntStream.range(0, items.size())
                    .mapToObj(i -> items.get(i).sql(dialect) + " AS c" + i)
                    .collect(Collectors.joining(", "));
            return "SELECT " + (distinct ? "DISTINCT " : "") + columns + " FROM " + from.sql(dialect)
                    + where.map(condition -> " WHERE " + condition.sql(dialect)).orElse("")
                    + grouping.map(groups -> groups.sql(dialect)).orElse("")
                    + having.map(condition -> " HAVING " + condition.sql(dialect))
                            .orElse("");
        }

        @Override
        public boolean portable() {
            return items.stream().allMatch(Expression::portable)
                    && from.portable()
                    && where.stream().allMatch(Expression::portable)
                    && grouping.stream().allMatch(Grouping::portable)
                    && having.stream().allMatch(Expression::portable);
        }

        @Override
        public Stream<Query> smaller() {
            return Stream.of(
                            where.stream().map(condition -> withWhere(Optional.empty())),
                            having.stream().map(condition -> withHaving(Optional.empty())),
                            from.smaller().map(this::withFrom),
                            Part.oneLess(items, this::withItems),
                            grouping.stream()
                                    .flatMap(Grouping::smaller)
                                    .map(groups -> withGrouping(Optional.of(groups))),
                            grouping.stream()
                                    .filter(groups -> having.isEmpty())
                                    .map(groups -> withGrouping(Optional.empty())),
                            Stream.of(withDistinct(false)).filter(changed -> distinct),
                            where.stream().flatMap(Part::smaller).map(part -> withWhere(Optional.of(part))),
                            having.stream().flatMap(Part::smaller).map(part -> withHaving(Optional.of(part))),
                            Part.oneSmaller(items, this::withItems))
                    .flatMap(changed -> changed);
        }
    }

    /** The content of a GROUP BY. */
    record Grouping(Shape shape, List<Expression> keys) implements Part<Grouping> {
        enum Shape {
            PLAIN,
            ROLLUP,
            CUBE,
            /** Three grouping sets: all keys, the first key alone, and no keys. */
            SETS
        }

        public Grouping {
            keys = List.copyOf(keys);
        }

        @Override
        public String sql(Dialect dialect) {
            String all = list(keys, dialect);
            String sets = " GROUPING SETS ((" + all + "), (" + keys.getFirst().sql(dialect) + "), ())";
            return " GROUP BY "
                    + switch (shape) {
                        case PLAIN -> all;
                        case ROLLUP -> "ROLLUP(" + all + ")";
                        case CUBE -> "CUBE(" + all + ")";
                        case SETS -> dialect == Dialect.HIVE ? all + sets : sets;
                    };
        }

        @Override
        public boolean portable() {
            return keys.stream().allMatch(Expression::portable);
        }

        @Override
        public Stream<Grouping> smaller() {
            Stream<Grouping> plain = shape == Shape.PLAIN ? Stream.empty() : Stream.of(new Grouping(Shape.PLAIN, keys));
            return Stream.concat(plain, Part.oneLess(keys, changed -> new Grouping(shape, changed)));
        }
    }

    /** Two queries with the same number of columns. Each column is cast to the kind's widest type. */
    record SetOperation(String operator, Query left, Query right) implements Query {
        @Override
        public List<Kind> kinds() {
            return left.kinds();
        }

        @Override
        public String sql(Dialect dialect) {
            return branch(left, "l", dialect) + " " + operator + " " + branch(right, "r", dialect);
        }

        private static String branch(Query query, String alias, Dialect dialect) {
            List<Kind> kinds = query.kinds();
            String columns = IntStream.range(0, kinds.size())
                    .mapToObj(i ->
                            "CAST(" + alias + ".c" + i + " AS " + kinds.get(i).widest() + ") AS c" + i)
                    .collect(Collectors.joining(", "));
            return "SELECT " + columns + " FROM (" + query.sql(dialect) + ") " + alias;
        }

        @Override
        public boolean portable() {
            return left.portable() && right.portable();
        }

        @Override
        public Stream<Query> smaller() {
            return Stream.of(
                            Stream.of(left, right),
                            left.smaller().map(changed -> new SetOperation(operator, changed, right)),
                            right.smaller().map(changed -> new SetOperation(operator, left, changed)))
                    .flatMap(changed -> changed);
        }
    }

    /** A query with a common table expression that its other parts may name. */
    record With(String name, Query named, Query query) implements Query {
        @Override
        public List<Kind> kinds() {
            return query.kinds();
        }

        @Override
        public boolean ordered() {
            return query.ordered();
        }

        @Override
        public String sql(Dialect dialect) {
            return "WITH " + name + " AS (" + named.sql(dialect) + ") " + query.sql(dialect);
        }

        @Override
        public boolean portable() {
            return named.portable() && query.portable();
        }

        @Override
        public Stream<Query> smaller() {
            return Stream.of(
                            Stream.of(named, query),
                            named.smaller().map(changed -> new With(name, changed, query)),
                            query.smaller().map(changed -> new With(name, named, changed)))
                    .flatMap(changed -> changed);
        }
    }

    /** The first rows of a query in the order of all its columns. */
    record Top(Query query, List<String> directions, int offset, int count) implements Query {
        public Top {
            directions = List.copyOf(directions);
        }

        @Override
        public List<Kind> kinds() {
            return query.kinds();
        }

        @Override
        public boolean ordered() {
            return true;
        }

        @Override
        public String sql(Dialect dialect) {
            int columns = query.kinds().size();
            String order = IntStream.range(0, columns)
                    .mapToObj(i -> "t.c" + i + " " + directions.get(i))
                    .collect(Collectors.joining(", "));
            String names = IntStream.range(0, columns).mapToObj(i -> "t.c" + i).collect(Collectors.joining(", "));
            return "SELECT " + names + " FROM (" + query.sql(dialect) + ") t ORDER BY " + order + " LIMIT " + count
                    + (offset == 0 ? "" : " OFFSET " + offset);
        }

        @Override
        public boolean portable() {
            return query.portable();
        }

        @Override
        public Stream<Query> smaller() {
            return Stream.concat(
                    Stream.of(query), query.smaller().map(changed -> new Top(changed, directions, offset, count)));
        }
    }
}
