package io.skep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.aggregate.Sum;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Aggregations as HiveQL, and those that are left to Spark. */
final class TestAggregateSql {
    private static final PredicateSql COLUMNS = new PredicateSql(
            new StructType()
                    .add("s", DataTypes.ShortType)
                    .add("i", DataTypes.IntegerType)
                    .add("l", DataTypes.LongType)
                    .add("d", DataTypes.DoubleType)
                    .add("x", DataTypes.StringType)
                    .add("c", new CharType(4))
                    .add("ts", DataTypes.TimestampNTZType)
                    .add("p", DataTypes.createDecimalType(10, 2))
                    .add("w", DataTypes.createDecimalType(38, 2))
                    .add("a`b", DataTypes.IntegerType),
            Optional.empty());

    /** A column. */
    private record Reference(String... fieldNames) implements NamedReference {}

    private static Optional<AggregateSql> of(List<Expression> groups, AggregateFunc... functions) {
        return AggregateSql.of(new Aggregation(functions, groups.toArray(new Expression[0])), COLUMNS);
    }

    private static Expression column(String name) {
        return new Reference(name);
    }

    private static void isSpark(AggregateFunc function) {
        assertThat(of(List.of(), function)).isEmpty();
        // Then all of them are.
        assertThat(of(List.of(column("i")), new CountStar(), function)).isEmpty();
    }

    @Test
    void groupsComeFirst() {
        AggregateSql sql = of(
                        List.of(column("x"), column("a`b")),
                        new CountStar(),
                        new Max(column("i")),
                        new Count(column("d"), false),
                        new Count(column("x"), true))
                .orElseThrow();
        assertThat(sql.groups()).containsExactly("`x`", "`a``b`");
        assertThat(sql.outputs())
                .containsExactly(
                        "`x`",
                        "`a``b`",
                        "count(*) AS `skep_aggregate_2`",
                        "max(`i`) AS `skep_aggregate_3`",
                        "count(`d`) AS `skep_aggregate_4`",
                        "count(DISTINCT `x`) AS `skep_aggregate_5`");
        assertThat(sql.schema().fields())
                .extracting(field -> field.dataType())
                .containsExactly(
                        DataTypes.StringType,
                        DataTypes.IntegerType,
                        DataTypes.LongType,
                        DataTypes.IntegerType,
                        DataTypes.LongType,
                        DataTypes.LongType);
    }

    @Test
    void sumsAreWideEnough() {
        AggregateSql sql = of(List.of(), new Sum(column("i"), false), new Sum(column("p"), false))
                .orElseThrow();
        assertThat(sql.outputs())
                .containsExactly(
                        "sum(CAST(`i` AS DECIMAL(28,0))) AS `skep_aggregate_0`", "sum(`p`) AS `skep_aggregate_1`");
        assertThat(sql.schema().fields())
                .extracting(field -> field.dataType())
                .containsExactly(DataTypes.createDecimalType(38, 0), DataTypes.createDecimalType(20, 2));
        isSpark(new Sum(column("l"), false));
        isSpark(new Sum(column("d"), false));
        isSpark(new Sum(column("w"), false));
        isSpark(new Sum(column("i"), true));
    }

    @Test
    void typesThatAreOrderedInAnotherWayAreLeftToSpark() {
        for (String name : List.of("d", "c", "ts", "unknown")) {
            isSpark(new Min(column(name)));
            isSpark(new Count(column(name), true));
            assertThat(of(List.of(column(name)), new CountStar())).as(name).isEmpty();
        }
        isSpark(new Max(new Reference("st", "k")));
    }
}
