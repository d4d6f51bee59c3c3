package io.skep.itests.random;

import io.skep.itests.random.Expression.Call;
import io.skep.itests.random.Query.Grouping;
import io.skep.itests.random.Query.Select;
import io.skep.itests.random.Query.SetOperation;
import io.skep.itests.random.Relation.Derived;
import io.skep.itests.random.Verdict.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Checks that the merged aggregates of the rows for which a condition is true, false and unknown equal the aggregates
 * of all rows. It is the {@link PartitionOracle} for counts, sums, minima and maxima.
 */
record AggregateOracle(Engine skep) implements Oracle {
    @Override
    public Verdict judge(Query query) {
        if (!(query instanceof Select select)
                || select.where().isEmpty()
                || select.having().isPresent()) {
            return new Unknown("no condition");
        }
        List<Expression> keys = select.grouping().map(Grouping::keys).orElse(List.of());
        boolean plain = select.grouping().stream().allMatch(groups -> groups.shape() == Grouping.Shape.PLAIN);
        boolean keysFirst = select.items().size() > keys.size()
                && select.items().subList(0, keys.size()).equals(keys);
        List<Expression> items = new ArrayList<>(keys);
        boolean limits = RandomTables.usesLimitValues(select.sql(Dialect.HIVE));
        select.items().stream()
                .filter(item -> merge(item).isPresent() && !(limits && isSumOfDecimals(item)))
                .forEach(items::add);
        if (!plain || !keysFirst || items.size() == keys.size()) {
            return new Unknown("no aggregates that can be merged");
        }
        Select all = select.withWhere(Optional.empty()).withItems(items);
        return Oracle.compare(
                Oracle.of(skep, merged(all, select.where().get(), keys.size())), Oracle.of(skep, all), false);
    }

    /**
     * Whether an expression is a sum of decimals. The sum is NULL if an intermediate result overflows, while the sums
     * of the parts may not overflow.
     */
    private static boolean isSumOfDecimals(Expression item) {
        return item instanceof Call call && call.form().hive().equals("sum(%s)") && item.kind() == Kind.DECIMAL;
    }

    private static Query merged(Select all, Expression condition, int keys) {
        Query union = PartitionOracle.partitions(condition)
                .<Query>map(third -> all.withWhere(Optional.of(third)))
                .reduce((left, right) -> new SetOperation("UNION ALL", left, right))
                .orElseThrow();
        Derived parts = new Derived(union, "u", all.from().rows());
        List<Expression> columns = parts.columns();
        List<Expression> items = IntStream.range(0, columns.size())
                .mapToObj(i -> i < keys
                        ? columns.get(i)
                        : new Call(merge(all.items().get(i)).orElseThrow(), List.of(columns.get(i))))
                .toList();
        Optional<Grouping> groups = keys == 0
                ? Optional.empty()
                : Optional.of(new Grouping(Grouping.Shape.PLAIN, columns.subList(0, keys)));
        return new Select(false, items, parts, Optional.empty(), groups, Optional.empty());
    }

    /** Returns the aggregate that merges partial results. */
    private static Optional<Form> merge(Expression aggregate) {
        return aggregate instanceof Call call ? Forms.merge(call.form()) : Optional.empty();
    }

    @Override
    public String toString() {
        return "aggregate";
    }
}
