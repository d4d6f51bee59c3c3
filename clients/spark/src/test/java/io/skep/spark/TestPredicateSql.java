package io.skep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VarcharType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Predicates of Spark as HiveQL, and those that have none. */
final class TestPredicateSql {
    private static final StructType COLUMNS = new StructType()
            .add("b", DataTypes.BooleanType)
            .add("t", DataTypes.ByteType)
            .add("s", DataTypes.ShortType)
            .add("i", DataTypes.IntegerType)
            .add("j", DataTypes.IntegerType)
            .add("l", DataTypes.LongType)
            .add("f", DataTypes.FloatType)
            .add("d", DataTypes.DoubleType)
            .add("x", DataTypes.StringType)
            .add("v", new VarcharType(5))
            .add("c", new CharType(4))
            .add("y", DataTypes.BinaryType)
            .add("dt", DataTypes.DateType)
            .add("ts", DataTypes.TimestampType)
            .add("n", DataTypes.TimestampNTZType)
            .add("p", DataTypes.createDecimalType(10, 2))
            .add("a`b", DataTypes.IntegerType)
            .add(new StructField(
                    "z",
                    DataTypes.TimestampType,
                    true,
                    new MetadataBuilder()
                            .withMetadata(Metadata.empty())
                            .putBoolean("skep.instant", true)
                            .build()));

    private static final PredicateSql ANY_ZONE = new PredicateSql(COLUMNS, Optional.empty());
    private static final PredicateSql ONE_HOUR_AHEAD = new PredicateSql(COLUMNS, Optional.of(ZoneOffset.ofHours(1)));

    /** A column, or a field of one. */
    private record Reference(String[] fieldNames) implements NamedReference {}

    private static Expression column(String... names) {
        return new Reference(names);
    }

    private static Expression value(@Nullable Object value, DataType type) {
        return new LiteralValue<>(value, type);
    }

    private static Expression text(String text) {
        return value(UTF8String.fromString(text), DataTypes.StringType);
    }

    private static Expression integer(int value) {
        return value(value, DataTypes.IntegerType);
    }

    private static Predicate predicate(String name, Expression... inputs) {
        return new Predicate(name, inputs);
    }

    private static void isPushed(Predicate predicate, String expected) {
        assertThat(ANY_ZONE.of(predicate)).as(predicate.name()).contains(expected);
    }

    private static void isNotPushed(Predicate... predicates) {
        assertThat(Arrays.asList(predicates)).allSatisfy(predicate -> {
            assertThat(ANY_ZONE.of(predicate)).isEmpty();
            // Nor is what contains it.
            assertThat(ANY_ZONE.of(predicate("NOT", predicate))).isEmpty();
            Predicate known = predicate("IS_NULL", column("i"));
            assertThat(ANY_ZONE.of(predicate("OR", known, predicate))).isEmpty();
        });
    }

    @Test
    void comparisonsHaveLiteralsOfTheirColumnsType() {
        isPushed(predicate("=", column("t"), value((byte) -1, DataTypes.ByteType)), "(`t` = -1Y)");
        isPushed(predicate("<>", column("s"), value((short) 2, DataTypes.ShortType)), "(`s` <> 2S)");
        isPushed(predicate("<", column("i"), integer(3)), "(`i` < 3)");
        isPushed(predicate(">=", column("l"), value(4L, DataTypes.LongType)), "(`l` >= 4L)");
        isPushed(predicate("<=>", column("x"), text("a")), "(`x` <=> 'a')");
        isPushed(predicate("=", column("v"), text("a")), "(`v` = 'a')");
        isPushed(predicate("=", column("b"), value(true, DataTypes.BooleanType)), "(`b` = true)");
        isPushed(
                predicate(
                        "<=",
                        column("dt"),
                        value((int) LocalDate.of(2020, 2, 29).toEpochDay(), DataTypes.DateType)),
                "(`dt` <= DATE '2020-02-29')");
        isPushed(
                predicate(">", column("p"), value(Decimal.apply("-12.30"), DataTypes.createDecimalType(10, 2))),
                "(`p` > -12.30BD)");
    }

    @Test
    void literalsMayStandFirst() {
        isPushed(predicate("<", integer(3), column("i")), "(`i` > 3)");
        isPushed(predicate("<>", integer(3), column("i")), "(`i` <> 3)");
    }

    @Test
    void columnsOfOneTypeAreCompared() {
        isPushed(predicate("<=", column("i"), column("j")), "(`i` <= `j`)");
        isNotPushed(
                predicate("=", column("i"), column("l")),
                predicate("=", column("d"), column("d")),
                predicate("=", column("c"), column("c")));
    }

    @Test
    void connectivesAreKept() {
        Predicate one = predicate("=", column("i"), integer(1));
        Predicate none = predicate("IS_NOT_NULL", column("d"));
        isPushed(predicate("AND", one, none), "((`i` = 1) AND (`d` IS NOT NULL))");
        isPushed(predicate("OR", one, predicate("NOT", none)), "((`i` = 1) OR (NOT (`d` IS NOT NULL)))");
        isPushed(predicate("IN", column("i"), integer(1), integer(-2)), "(`i` IN (1, -2))");
        isPushed(predicate("ALWAYS_FALSE"), "(1 = 0)");
    }

    @Test
    void injectionIsOneNameOrOneLiteral() {
        isPushed(predicate("=", column("a`b"), integer(1)), "(`a``b` = 1)");
        isPushed(predicate("=", column("x"), text("' OR '1'='1' -- \\")), "(`x` = '\\' OR \\'1\\'=\\'1\\' -- \\\\')");
        isPushed(predicate("IN", column("x"), text("${hiveconf:a}")), "(`x` IN ('$\\u007bhiveconf:a}'))");
        isPushed(predicate("STARTS_WITH", column("x"), text("'")), "(`x` LIKE '\\'%')");
    }

    @Test
    void textsWithoutSignsOfPatternsAreLookedFor() {
        isPushed(predicate("STARTS_WITH", column("x"), text("ab")), "(`x` LIKE 'ab%')");
        isPushed(predicate("ENDS_WITH", column("x"), text("ab")), "(`x` LIKE '%ab')");
        isPushed(predicate("CONTAINS", column("v"), text("ab")), "(`v` LIKE '%ab%')");
        isNotPushed(
                predicate("CONTAINS", column("x"), text("")),
                predicate("CONTAINS", column("x"), text("10%")),
                predicate("STARTS_WITH", column("x"), text("a_b")),
                predicate("ENDS_WITH", column("x"), text("\\")),
                predicate("STARTS_WITH", column("c"), text("a")));
    }

    /** NaN, spaces of CHAR, nulls, least values, bytes that are no text, fields, functions. */
    @Test
    void whatHiveEvaluatesInAnotherWayStaysWithSpark() {
        isNotPushed(
                predicate("=", column("d"), value(1.5, DataTypes.DoubleType)),
                predicate(">", column("f"), value(1.5f, DataTypes.FloatType)),
                predicate("=", column("c"), text("ch")),
                predicate("=", column("y"), value(new byte[] {1}, DataTypes.BinaryType)),
                predicate("=", column("i"), value(null, DataTypes.IntegerType)),
                predicate("IN", column("i"), integer(1), value(null, DataTypes.IntegerType)),
                predicate("=", column("i"), value(1L, DataTypes.LongType)),
                predicate("=", column("i"), integer(Integer.MIN_VALUE)),
                predicate("=", column("x"), value(UTF8String.fromBytes(new byte[] {-1}), DataTypes.StringType)),
                predicate("=", column("p"), value(Decimal.apply("1.234"), DataTypes.createDecimalType(10, 3))),
                predicate("=", column("dt"), value(Integer.MAX_VALUE, DataTypes.DateType)),
                predicate("=", column("st", "k"), integer(1)),
                predicate("=", column("unknown"), integer(1)),
                predicate("LIKE_ALL", column("x"), text("a")),
                predicate("=", column("z"), value(0L, DataTypes.TimestampType)));
        assertThat(ONE_HOUR_AHEAD.of(predicate("=", column("z"), value(0L, DataTypes.TimestampType))))
                .isEmpty();
    }

    @Test
    void longTextsStayWithSpark() {
        isNotPushed(predicate("=", column("x"), text("a".repeat(70_000))));
    }

    /** A microsecond of Spark is a thousand values of Hive. */
    @Test
    void timestampsAreRanges() {
        long noon = LocalDateTime.of(2020, 1, 2, 12, 0).toEpochSecond(ZoneOffset.UTC) * 1_000_000;
        String from = "TIMESTAMP '2020-01-02 12:00:00.000000'";
        String to = "TIMESTAMP '2020-01-02 12:00:00.000001'";
        Expression literal = value(noon, DataTypes.TimestampNTZType);
        isPushed(predicate("=", column("n"), literal), "(`n` >= " + from + " AND NOT `n` >= " + to + ")");
        isPushed(predicate("<>", column("n"), literal), "(NOT `n` >= " + from + " OR `n` >= " + to + ")");
        isPushed(predicate("<", column("n"), literal), "(`n` < " + from + ")");
        isPushed(predicate("<=", column("n"), literal), "(`n` < " + to + ")");
        isPushed(predicate(">", column("n"), literal), "(`n` >= " + to + ")");
        isPushed(predicate(">=", column("n"), literal), "(`n` >= " + from + ")");
        isNotPushed(predicate("<=>", column("n"), literal), predicate("IN", column("n"), literal));
    }

    @Test
    void instantsAreWallClocksWhereTheZoneHasNoOtherOffset() {
        long eleven = LocalDateTime.of(2020, 1, 2, 11, 0).toEpochSecond(ZoneOffset.UTC) * 1_000_000;
        Predicate later = predicate(">=", column("ts"), value(eleven, DataTypes.TimestampType));
        assertThat(ONE_HOUR_AHEAD.of(later)).contains("(`ts` >= TIMESTAMP '2020-01-02 12:00:00.000000')");
        assertThat(ANY_ZONE.of(later)).isEmpty();
    }
}
