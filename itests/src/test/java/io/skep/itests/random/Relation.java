package io.skep.itests.random;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An item of a FROM clause. */
sealed interface Relation extends Part<Relation> {
    /** Returns an approximate upper bound of the number of rows. */
    long rows();

    /** Returns the columns that the query may name. */
    List<Expression> columns();

    record Scan(Table table, String alias) implements Relation {
        @Override
        public long rows() {
            return table.rows();
        }

        @Override
        public List<Expression> columns() {
            return table.columns().stream()
                    .<Expression>map(column -> new Expression.Reference(alias, column.name(), column.kind()))
                    .toList();
        }

        @Override
        public String sql(Dialect dialect) {
            return table.name() + " " + alias;
        }

        @Override
        public boolean portable() {
            return true;
        }

        @Override
        public Stream<Relation> smaller() {
            return Stream.empty();
        }
    }

    /** A common table expression, referenced by its name. */
    record Named(String name, List<Kind> kinds, String alias, long rows) implements Relation {
        public Named {
            kinds = List.copyOf(kinds);
        }

        @Override
        public List<Expression> columns() {
            return numbered(alias, kinds);
        }

        @Override
        public String sql(Dialect dialect) {
            return name + " " + alias;
        }

        @Override
        public boolean portable() {
            return true;
        }

        @Override
        public Stream<Relation> smaller() {
            return Stream.empty();
        }
    }

    private static List<Expression> numbered(String alias, List<Kind> kinds) {
        return IntStream.range(0, kinds.size())
                .<Expression>mapToObj(i -> new Expression.Reference(alias, "c" + i, kinds.get(i)))
                .toList();
    }

    record Derived(Query query, String alias, long rows) implements Relation {
        @Override
        public List<Expression> columns() {
            return numbered(alias, query.kinds());
        }

        @Override
        public String sql(Dialect dialect) {
            return "(" + query.sql(dialect) + ") " + alias;
        }

        @Override
        public boolean portable() {
            return query.portable();
        }

        @Override
        public Stream<Relation> smaller() {
            return query.smaller().map(changed -> new Derived(changed, alias, rows));
        }
    }

    enum JoinKind {
        INNER("JOIN", "JOIN"),
        LEFT("LEFT JOIN", "LEFT JOIN"),
        RIGHT("RIGHT JOIN", "RIGHT JOIN"),
        FULL("FULL JOIN", "FULL JOIN"),
        CROSS("CROSS JOIN", "CROSS JOIN"),
        SEMI("LEFT SEMI JOIN", "SEMI JOIN");

        private final String hive;
        private final String peer;

        JoinKind(String hive, String peer) {
            this.hive = hive;
            this.peer = peer;
        }

        String sql(Dialect dialect) {
            return dialect == Dialect.HIVE ? hive : peer;
        }
    }

    /** @param condition the join condition; present for all joins except cross joins */
    record Join(Relation left, JoinKind join, Relation right, Optional<Expression> condition) implements Relation {
        /**
         * The estimated factor by which an equality reduces the pairs. It reduces them by more, however skewed the
         * tables are.
         */
        private static final int PAIRS_A_MATCH = 10;

        @Override
        public long rows() {
            long pairs = Math.max(1, left.rows()) * Math.max(1, right.rows());
            return Math.max(condition.isPresent() ? pairs / PAIRS_A_MATCH : pairs, left.rows() + right.rows());
        }

        @Override
        public List<Expression> columns() {
            return join == JoinKind.SEMI
                    ? left.columns()
                    : Stream.concat(left.columns().stream(), right.columns().stream())
                            .toList();
        }

        @Override
        public String sql(Dialect dialect) {
            return left.sql(dialect) + " " + join.sql(dialect) + " " + right.sql(dialect)
                    + condition.map(on -> " ON " + on.sql(dialect)).orElse("");
        }

        @Override
        public boolean portable() {
            return left.portable() && right.portable() && condition.stream().allMatch(Expression::portable);
        }

        @Override
        public Stream<Relation> smaller() {
            return Stream.of(
                            Stream.of(left, right),
                            left.smaller().map(changed -> new Join(changed, join, right, condition)),
                            right.smaller().map(changed -> new Join(left, join, changed, condition)),
                            condition.stream()
                                    .flatMap(Part::smaller)
                                    .map(changed -> new Join(left, join, right, Optional.of(changed))),
                            Stream.of(new Join(left, JoinKind.INNER, right, condition))
                                    .filter(changed -> condition.isPresent() && join != JoinKind.INNER))
                    .<Relation>flatMap(changed -> changed);
        }
    }
}
