package io.skep.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * An aggregation as HiveQL has it: counts, and minima, maxima, sums and groups of types on whose values both systems
 * agree.
 *
 * @param outputs the columns of groups and then the aggregates, as texts
 * @param groups the quoted columns to group by
 * @param schema what the outputs are
 */
record AggregateSql(List<String> outputs, List<String> groups, StructType schema) {
    /** A sum of decimals has ten digits more than they have: as many as are there. */
    private static final int SUM_DIGITS = 10;

    private static final int MAX_DIGITS = 38;

    /** Holds each integer, and its sum has the most digits that are there: it does not overflow. */
    private static final DecimalType WIDE = DataTypes.createDecimalType(MAX_DIGITS - SUM_DIGITS, 0);

    /** Returns empty when one part of the aggregation is left to Spark. */
    static Optional<AggregateSql> of(Aggregation aggregation, PredicateSql columns) {
        List<String> groups = new ArrayList<>();
        List<String> outputs = new ArrayList<>();
        StructType schema = new StructType();
        for (Expression group : aggregation.groupByExpressions()) {
            Optional<StructField> column = exact(group, columns);
            if (column.isEmpty()) {
                return Optional.empty();
            }
            groups.add(SqlText.name(column.get().name()));
            schema = schema.add(column.get());
        }
        outputs.addAll(groups);
        for (AggregateFunc function : aggregation.aggregateExpressions()) {
            String name = "skep_aggregate_" + outputs.size();
            Optional<Output> output = output(function, columns);
            if (output.isEmpty()) {
                return Optional.empty();
            }
            outputs.add(output.get().text() + " AS " + SqlText.name(name));
            schema = schema.add(name, output.get().type());
        }
        return Optional.of(new AggregateSql(List.copyOf(outputs), List.copyOf(groups), schema));
    }

    /**
     * An aggregate.
     *
     * @param type of its value; Spark casts it to the type that the function has in Spark
     */
    private record Output(String text, DataType type) {}

    private static Optional<StructField> exact(Expression expression, PredicateSql columns) {
        return columns.column(expression).filter(column -> ColumnTypes.isExact(column.dataType()));
    }

    private static Optional<Output> output(AggregateFunc function, PredicateSql columns) {
        if (function instanceof CountStar) {
            return Optional.of(new Output("count(*)", DataTypes.LongType));
        }
        if (function instanceof Count count) {
            return count.isDistinct()
                    ? exact(count.column(), columns).map(column -> count("DISTINCT ", column))
                    : columns.column(count.column()).map(column -> count("", column));
        }
        if (function instanceof Min min) {
            return exact(min.column(), columns).map(column -> ofColumn("min", column));
        }
        if (function instanceof Max max) {
            return exact(max.column(), columns).map(column -> ofColumn("max", column));
        }
        return function instanceof Sum sum && !sum.isDistinct()
                ? columns.column(sum.column()).flatMap(AggregateSql::sum)
                : Optional.empty();
    }

    private static Output count(String distinct, StructField column) {
        return new Output("count(" + distinct + SqlText.name(column.name()) + ")", DataTypes.LongType);
    }

    private static Output ofColumn(String function, StructField column) {
        return new Output(function + "(" + SqlText.name(column.name()) + ")", column.dataType());
    }

    /**
     * Sums of integers are made of decimals: HiveQL's wrap around where Spark, which casts the decimal, says that the
     * sum is too large. Those of BIGINT are Spark's, since its interface does not tell sum from try_sum, which is null
     * then.
     */
    private static Optional<Output> sum(StructField column) {
        String name = SqlText.name(column.name());
        if (ColumnTypes.isInteger(column.dataType())) {
            return column.dataType() instanceof LongType
                    ? Optional.empty()
                    : Optional.of(new Output("sum(CAST(" + name + " AS " + WIDE.sql() + "))", sumOf(WIDE)));
        }
        return column.dataType() instanceof DecimalType decimal && decimal.precision() + SUM_DIGITS <= MAX_DIGITS
                ? Optional.of(new Output("sum(" + name + ")", sumOf(decimal)))
                : Optional.empty();
    }

    private static DecimalType sumOf(DecimalType type) {
        return DataTypes.createDecimalType(type.precision() + SUM_DIGITS, type.scale());
    }
}
