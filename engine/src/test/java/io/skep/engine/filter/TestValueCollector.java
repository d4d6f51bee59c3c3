package io.skep.engine.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.plan.codec.ColumnValuesCodec;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TestValueCollector {
    private static Vector vector(SqlType type, Datum... values) {
        VectorAppender appender = VectorAppender.of(type);
        Arrays.stream(values).forEach(value -> value.appendTo(appender, type));
        return appender.build();
    }

    private static Datum number(long value) {
        return new Datum.OfLong(value);
    }

    private static ColumnValues collected(SqlType type, Vector... batches) {
        ValueCollector collector = new ValueCollector(type);
        for (Vector batch : batches) {
            collector.add(batch, batch.length());
        }
        return collector.values();
    }

    @Test
    void valuesOfAllBatchesWithoutNull() {
        SqlType type = PrimitiveType.INT;
        Vector first = vector(type, number(0), Datum.NULL, number(256), number(0), number(-3));
        Vector second = vector(type, number(7), number(256), number(512), number(256));
        assertThat(collected(type, first, second, new ConstantVector(vector(type, number(9)), 3)))
                .isEqualTo(
                        ColumnValues.of(Set.of(number(0), number(256), number(-3), number(7), number(512), number(9))));
        assertThat(collected(type, vector(type, Datum.NULL), new ConstantVector(vector(type, Datum.NULL), 2)))
                .isEqualTo(ColumnValues.NONE);
        assertThat(collected(type)).isEqualTo(ColumnValues.NONE);
    }

    @Test
    void entriesOfADictionaryThatAreUsed() {
        SqlType type = PrimitiveType.STRING;
        Vector dictionary = vector(type, Datum.ofText("a"), Datum.ofText("b"), Datum.ofText("c"));
        for (int rows : List.of(2, 5)) {
            int[] ids = Arrays.copyOf(new int[] {0, 2, 2, 0, 2}, rows);
            long[] secondIsNull = {2};
            assertThat(collected(type, new DictionaryVector(ids, dictionary, null, rows)))
                    .isEqualTo(ColumnValues.of(Set.of(Datum.ofText("a"), Datum.ofText("c"))));
            assertThat(collected(type, new DictionaryVector(new int[rows], dictionary, secondIsNull, rows)))
                    .isEqualTo(ColumnValues.of(Set.of(Datum.ofText("a"))));
        }
    }

    @Test
    void onlyTheRowsThatAreThere() {
        ValueCollector collector = new ValueCollector(PrimitiveType.BIGINT);
        collector.add(vector(PrimitiveType.BIGINT, number(1), number(2)), 1);
        assertThat(collector.values()).isEqualTo(ColumnValues.of(Set.of(number(1))));
    }

    @Test
    void tooManyAreAny() {
        Datum[] numbers = IntStream.range(0, ColumnValues.MAX_VALUES)
                .mapToObj(TestValueCollector::number)
                .toArray(Datum[]::new);
        Vector most = vector(PrimitiveType.BIGINT, numbers);
        assertThat(collected(PrimitiveType.BIGINT, most, most).few().map(Set::size))
                .contains(ColumnValues.MAX_VALUES);
        assertThat(collected(PrimitiveType.BIGINT, most, vector(PrimitiveType.BIGINT, number(-1)), most))
                .isEqualTo(ColumnValues.ANY);
        assertThat(collected(PrimitiveType.STRING, vector(PrimitiveType.STRING, Datum.ofText("x".repeat(70_000)))))
                .isEqualTo(ColumnValues.ANY);
    }

    @Test
    void valuesOfTwoPlacesAreThoseOfBoth() {
        ColumnValues one = ColumnValues.of(Set.of(number(1)));
        ColumnValues two = ColumnValues.of(Set.of(number(2)));
        assertThat(one.and(two)).isEqualTo(ColumnValues.of(Set.of(number(1), number(2))));
        assertThat(one.and(ColumnValues.ANY)).isEqualTo(ColumnValues.ANY);
        assertThat(one.and(ColumnValues.NONE)).isEqualTo(one);
        Set<Datum> half = IntStream.range(5, ColumnValues.MAX_VALUES + 5)
                .mapToObj(TestValueCollector::number)
                .collect(Collectors.toSet());
        assertThat(ColumnValues.of(half).and(one)).isEqualTo(ColumnValues.ANY);
    }

    @Test
    void nullIsNoneOfThem() {
        assertThat(ColumnValues.ANY.mayHold(Datum.NULL)).isFalse();
        assertThat(ColumnValues.ANY.mayHold(number(1))).isTrue();
        assertThat(ColumnValues.NONE.mayHold(number(1))).isFalse();
        assertThat(new ColumnValues(Optional.of(Set.of(Datum.ofText("a")))).mayHold(Datum.ofText("a")))
                .isTrue();
    }

    @Test
    void theyComeBackFromBytes() {
        List<Datum> values = List.of(
                number(Long.MIN_VALUE),
                Datum.ofText(""),
                new Datum.OfDecimal(new BigInteger("-12345678901234567890123")),
                new Datum.OfTimestamp(-5, 999));
        Map<Integer, ColumnValues> columns =
                Map.of(0, ColumnValues.NONE, 3, ColumnValues.ANY, 9, ColumnValues.of(Set.copyOf(values)));
        assertThat(ColumnValuesCodec.decode(ColumnValuesCodec.encode(columns))).isEqualTo(columns);
        assertThat(ColumnValuesCodec.decode(new byte[0])).isEmpty();
        assertThat(ColumnValuesCodec.decodeList(ColumnValuesCodec.encodeList(values)))
                .isEqualTo(values);
    }

    @Test
    void typesOfOtherForms() {
        SqlType decimal = new DecimalType(38, 2);
        Datum large = new Datum.OfDecimal(new BigInteger("12345678901234567890123"));
        assertThat(collected(decimal, vector(decimal, large, Datum.NULL, large)))
                .isEqualTo(ColumnValues.of(Set.of(large)));
        SqlType text = new CharType(3);
        assertThat(collected(text, vector(text, Datum.ofText("a"), Datum.ofText("b"))))
                .isEqualTo(ColumnValues.of(Set.of(Datum.ofText("a"), Datum.ofText("b"))));
        Datum moment = new Datum.OfTimestamp(7, 8);
        assertThat(collected(PrimitiveType.TIMESTAMP, vector(PrimitiveType.TIMESTAMP, moment)))
                .isEqualTo(ColumnValues.of(Set.of(moment)));
    }
}
