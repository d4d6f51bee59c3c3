package io.skep.common.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class TestDatum {
    static Stream<Arguments> values() {
        Datum text = Datum.ofText("grün");
        Datum one = new Datum.OfLong(1);
        return Stream.of(
                Arguments.of("bigint", new Datum.OfLong(Long.MIN_VALUE)),
                Arguments.of("double", new Datum.OfDouble(-0.0)),
                Arguments.of("string", text),
                Arguments.of(
                        "decimal(38,2)",
                        new Datum.OfDecimal(BigInteger.TEN.pow(37).negate())),
                Arguments.of("timestamp", new Datum.OfTimestamp(-1, 999_999_999)),
                Arguments.of("array<int>", new Datum.OfList(List.of(one, Datum.NULL))),
                Arguments.of("map<string,int>", new Datum.OfMap(List.of(text), List.of(one))),
                Arguments.of(
                        "struct<a:int,b:array<string>>",
                        new Datum.OfList(List.of(one, new Datum.OfList(List.of(text))))),
                Arguments.of("uniontype<int,string>", new Datum.OfUnion(1, text)),
                Arguments.of("map<string,int>", Datum.NULL));
    }

    @ParameterizedTest
    @MethodSource("values")
    void survivesAVector(String typeText, Datum value) {
        SqlType type = TypeParser.parse(typeText);
        Vector vector = value.toVector(type);
        assertThat(Datum.of(vector, 0, type)).isEqualTo(value);
        assertThat(Datum.of(new ConstantVector(vector, 3), 2, type)).isEqualTo(value);
        VectorAppender copy = VectorAppender.of(type);
        copy.appendNull();
        copy.append(vector, 0);
        assertThat(Datum.of(copy.build(), 1, type)).isEqualTo(value);
    }
}
