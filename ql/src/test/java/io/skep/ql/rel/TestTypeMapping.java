package io.skep.ql.rel;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.CharType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Datum;
import java.math.BigInteger;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestTypeMapping {
    private final RelFactory factory = new RelFactory();

    @ParameterizedTest
    @EnumSource(PrimitiveType.class)
    void primitivesSurvive(PrimitiveType type) {
        assertThat(TypeMapping.toSql(factory.type(type))).isEqualTo(type);
        assertThat(TypeMapping.toSql(factory.types().notNull(type))).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "decimal(38,18)",
                "decimal(1,0)",
                "decimal(38,38)",
                "char(1)",
                "char(255)",
                "varchar(1)",
                "varchar(65535)",
                "array<struct<a:int,b:array<map<string,timestamp>>>>",
                "uniontype<int,string,interval_day_time>",
                "struct<>"
            })
    void typesWithParametersSurvive(String text) {
        SqlType type = TypeParser.parse(text);
        RelDataType relType = factory.type(type);
        assertThat(TypeMapping.toSql(relType)).isEqualTo(type);
        assertThat(relType.isNullable()).isTrue();
    }

    @Test
    void emptyLiteralsHaveTypes() {
        assertThat(TypeMapping.toSql(factory.rex().makeLiteral("").getType())).isEqualTo(new CharType(1));
    }

    @Test
    void sameTypeIsSameObject() {
        SqlType type = TypeParser.parse("array<int>");
        assertThat(factory.type(type))
                .isEqualTo(factory.type(type))
                .isNotEqualTo(factory.types().notNull(type));
    }

    @Test
    void constantsSurvive() {
        survives(Datum.ofBoolean(true), "boolean");
        survives(new Datum.OfLong(-128), "tinyint");
        survives(new Datum.OfLong(Long.MIN_VALUE), "bigint");
        survives(new Datum.OfDouble(1.1), "double");
        survives(new Datum.OfDouble(-1e300), "double");
        survives(new Datum.OfLong(-1050), "decimal(10,2)");
        survives(new Datum.OfDecimal(new BigInteger("99999999999999999999999999999999999999")), "decimal(38,10)");
        survives(Datum.ofText("it's\n\u00e9\ud83d\ude00"), "string");
        survives(Datum.ofText("a "), "varchar(5)");
        survives(Datum.ofText("a"), "char(5)");
        survives(new Datum.OfBytes(new byte[] {0, -1}), "binary");
        survives(new Datum.OfLong(18321), "date");
        survives(new Datum.OfTimestamp(1582979696, 123456789), "timestamp");
        survives(new Datum.OfTimestamp(-1, 999999999), "timestamp");
        survives(new Datum.OfTimestamp(1582979696, 120000000), "timestamp with local time zone");
        survives(new Datum.OfLong(-14), "interval_year_month");
        survives(new Datum.OfTimestamp(-90001, 500000001), "interval_day_time");
        survives(Datum.NULL, "int");
        survives(Datum.NULL, "array<int>");
    }

    private void survives(Datum value, String typeText) {
        SqlType type = TypeParser.parse(typeText);
        RexLiteral literal = factory.rex().constant(value, type);
        assertThat(LiteralMapping.toDatum(literal)).isEqualTo(value);
        assertThat(TypeMapping.toSql(literal.getType())).isEqualTo(type);
    }

    @Test
    void onlyWideningsAreCasts() {
        assertThat(cast("int", "bigint").getKind()).isEqualTo(SqlKind.CAST);
        assertThat(cast("decimal(10,2)", "decimal(12,2)").getKind()).isEqualTo(SqlKind.CAST);
        assertThat(cast("string", "int").getKind()).isEqualTo(SqlKind.OTHER_FUNCTION);
        assertThat(cast("decimal(12,2)", "decimal(10,2)").getKind()).isEqualTo(SqlKind.OTHER_FUNCTION);
        assertThat(cast("bigint", "int").getKind()).isEqualTo(SqlKind.OTHER_FUNCTION);
        assertThat(cast("int", "int").getKind()).isEqualTo(SqlKind.INPUT_REF);
    }

    private RexNode cast(String from, String to) {
        RexNode column = factory.rex().makeInputRef(factory.type(TypeParser.parse(from)), 0);
        return factory.rex().cast(column, TypeParser.parse(to));
    }
}
