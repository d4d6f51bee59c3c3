package io.skep.itests.random;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A scalar expression, an aggregate or a window function. */
sealed interface Expression extends Part<Expression> {
    Kind kind();

    /** A column of a relation of the query or of an enclosing query. */
    record Reference(String alias, String column, Kind kind) implements Expression {
        @Override
        public String sql(Dialect dialect) {
            return alias + "." + column;
        }

        @Override
        public boolean portable() {
            return true;
        }

        @Override
        public Stream<Expression> smaller() {
            return Stream.empty();
        }
    }

    /** @param text the literal, which is the same in both dialects */
    record Literal(Kind kind, String text) implements Expression {
        @Override
        public String sql(Dialect dialect) {
            return text;
        }

        @Override
        public boolean portable() {
            return true;
        }

        @Override
        public Stream<Expression> smaller() {
            return Stream.empty();
        }
    }

    record Call(Form form, List<Expression> operands) implements Expression {
        public Call {
            operands = List.copyOf(operands);
        }

        @Override
        public Kind kind() {
            return form.result();
        }

        @Override
        public String sql(Dialect dialect) {
            String format = dialect == Dialect.HIVE ? form.hive() : form.peer().orElseThrow();
            return String.format(
                    format,
                    operands.stream().map(operand -> operand.sql(dialect)).toArray());
        }

        @Override
        public boolean portable() {
            return form.peer().isPresent() && operands.stream().allMatch(Expression::portable);
        }

        @Override
        public Stream<Expression> smaller() {
            return Stream.concat(
                    operands.stream().filter(operand -> operand.kind() == kind()),
                    Part.oneSmaller(operands, changed -> new Call(form, changed)));
        }
    }

    /** Whether a value is in the result of a single-column query. */
    record InQuery(Expression value, boolean negated, Query query) implements Expression {
        @Override
        public Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        public String sql(Dialect dialect) {
            return "(" + value.sql(dialect) + (negated ? " NOT IN (" : " IN (") + query.sql(dialect) + "))";
        }

        @Override
        public boolean portable() {
            return value.portable() && query.portable();
        }

        @Override
        public Stream<Expression> smaller() {
            return Stream.concat(
                    query.smaller().map(changed -> new InQuery(value, negated, changed)),
                    value.smaller().map(changed -> new InQuery(changed, negated, query)));
        }
    }

    /** Whether a query returns rows. */
    record Exists(boolean negated, Query query) implements Expression {
        @Override
        public Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        public String sql(Dialect dialect) {
            return (negated ? "(NOT EXISTS (" : "(EXISTS (") + query.sql(dialect) + "))";
        }

        @Override
        public boolean portable() {
            return query.portable();
        }

        @Override
        public Stream<Expression> smaller() {
            return query.smaller().map(changed -> new Exists(negated, changed));
        }
    }

    /** The single value of a query, or NULL if it returns no rows. */
    record Scalar(Kind kind, Query query) implements Expression {
        @Override
        public String sql(Dialect dialect) {
            return "(" + query.sql(dialect) + ")";
        }

        @Override
        public boolean portable() {
            return query.portable();
        }

        @Override
        public Stream<Expression> smaller() {
            return query.smaller().map(changed -> new Scalar(kind, changed));
        }
    }

    /** An expression in an ORDER BY. The direction includes the position of NULLs, so that both dialects agree. */
    record SortKey(Expression value, String direction) implements Part<SortKey> {
        @Override
        public String sql(Dialect dialect) {
            return value.sql(dialect) + " " + direction;
        }

        @Override
        public boolean portable() {
            return value.portable();
        }

        @Override
        public Stream<SortKey> smaller() {
            return value.smaller().map(changed -> new SortKey(changed, direction));
        }
    }

    /**
     * A window function. Sums of integers have more digits in the peer than in Hive.
     *
     * @param frame the frame, or empty for the default
     */
    record Window(Expression function, List<Expression> partition, List<SortKey> order, String frame)
            implements Expression {
        public Window {
            partition = List.copyOf(partition);
            order = List.copyOf(order);
        }

        @Override
        public Kind kind() {
            return function.kind();
        }

        @Override
        public String sql(Dialect dialect) {
            String by = partition.isEmpty() ? "" : "PARTITION BY " + list(partition, dialect) + " ";
            String sorted = order.isEmpty() ? "" : "ORDER BY " + list(order, dialect) + " ";
            String window = function.sql(dialect) + " OVER (" + by + sorted + frame + ")";
            boolean wraps = dialect == Dialect.DUCKDB && kind() == Kind.INTEGER;
            return wraps ? "CAST(" + window + " AS BIGINT)" : window;
        }

        @Override
        public boolean portable() {
            return function.portable()
                    && partition.stream().allMatch(Expression::portable)
                    && order.stream().allMatch(SortKey::portable);
        }

        @Override
        public Stream<Expression> smaller() {
            return Stream.of(
                            Part.oneLess(partition, changed -> new Window(function, changed, order, frame)),
                            Part.oneSmaller(partition, changed -> new Window(function, changed, order, frame)),
                            Part.oneSmaller(order, changed -> new Window(function, partition, changed, frame)),
                            Part.oneSmaller(
                                    List.of(function),
                                    changed -> new Window(changed.getFirst(), partition, order, frame)))
                    .flatMap(changed -> changed);
        }
    }

    static String list(List<? extends Part<?>> parts, Dialect dialect) {
        return parts.stream().map(part -> part.sql(dialect)).collect(Collectors.joining(", "));
    }

    static Optional<Expression> and(Optional<Expression> left, Expression right) {
        return Optional.of(left.<Expression>map(first -> new Call(Forms.AND, List.of(first, right)))
                .orElse(right));
    }
}
