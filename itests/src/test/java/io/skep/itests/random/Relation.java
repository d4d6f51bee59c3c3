package io.skep.itests.random;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What stands in a FROM. */
sealed interface Relation extends Part<Relation> {
    /** At most about so many rows. */
    long rows();

    /** The columns that the query may name. */
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
            return table.portable();
        }

        @Override
        public Stream<Relation> smaller() {
            return Stream.empty();
        }
    }

    record Derived(Query query, String alias, long rows) implements Relation {
        @Override
        public List<Expression> columns() {
            List<Kind> kinds = query.kinds();
            return IntStream.range(0, kinds.size())
                    .<Expression>mapToObj(i -> new Expression.Reference(alias, "c" + i, kinds.get(i)))
                    .toList();
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

    /** @param words such as LEFT JOIN */
    record Join(Relation left, String words, Relation right, Optional<Expression> condition) implements Relation {
        /** An equality lets less through, however skewed the tables are. */
        private static final int PAIRS_A_MATCH = 10;

        @Override
        public long rows() {
            long pairs = Math.max(1, left.rows()) * Math.max(1, right.rows());
            return Math.max(condition.isPresent() ? pairs / PAIRS_A_MATCH : pairs, left.rows() + right.rows());
        }

        @Override
        public List<Expression> columns() {
            return Stream.concat(left.columns().stream(), right.columns().stream())
                    .toList();
        }

        @Override
        public String sql(Dialect dialect) {
            return left.sql(dialect) + " " + words + " " + right.sql(dialect)
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
                            left.smaller().map(changed -> new Join(changed, words, right, condition)),
                            right.smaller().map(changed -> new Join(left, words, changed, condition)),
                            condition.stream()
                                    .flatMap(Part::smaller)
                                    .map(changed -> new Join(left, words, right, Optional.of(changed))),
                            Stream.of(new Join(left, "JOIN", right, condition))
                                    .filter(changed -> condition.isPresent() && !words.equals("JOIN")))
                    .<Relation>flatMap(changed -> changed);
        }
    }
}
