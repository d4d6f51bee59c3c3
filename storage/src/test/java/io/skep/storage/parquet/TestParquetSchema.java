package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.type.TypeParser;
import io.skep.storage.table.Column;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which SQL types the columns of files have. */
class TestParquetSchema {
    private static List<Column> columns(String field) {
        return ParquetSchema.columns(MessageTypeParser.parseMessageType("message m { " + field + " }"));
    }

    @Test
    void writtenTypesComeBack() {
        List<Column> written = Stream.of(
                        "boolean",
                        "tinyint",
                        "smallint",
                        "int",
                        "bigint",
                        "float",
                        "double",
                        "string",
                        "binary",
                        "date",
                        "timestamp",
                        "timestamp with local time zone",
                        "decimal(10,2)",
                        "decimal(38,0)",
                        "array<int>",
                        "array<array<struct<a:int>>>",
                        "map<string,array<bigint>>",
                        "struct<a:int,B:struct<c:date>>")
                .map(type -> new Column(type.substring(0, 3), TypeParser.parse(type)))
                .toList();
        for (Column column : written) {
            MessageType file = ParquetTypes.message(List.of(column), Optional.empty());
            assertThat(ParquetSchema.columns(file)).containsExactly(column);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "required int64 C (TIMESTAMP(MICROS,false));| timestamp",
                "required int64 c (TIMESTAMP(NANOS,true));| timestamp with local time zone",
                "required int32 c (INTEGER(32,true));| int",
                "required int64 c (INTEGER(64,true));| bigint",
                "required int32 c (DECIMAL(9,2));| decimal(9,2)",
                "required binary c (ENUM);| string",
                "required fixed_len_byte_array(3) c;| binary",
                "repeated int32 c;| array<int>",
                "required group c (LIST) { repeated int32 element; }| array<int>",
                "required group c (LIST) { repeated group list { optional binary element (STRING); } }| array<string>",
                "required group c (LIST) { repeated group array { optional int32 x; } }| array<struct<x:int>>",
                "required group c (LIST) { repeated group c_tuple { optional int32 x; } }| array<struct<x:int>>",
                "required group c (LIST) { repeated group l { optional int32 x; optional int32 y; } }"
                        + "| array<struct<x:int,y:int>>",
                "required group c (MAP_KEY_VALUE) { repeated group map { required int32 k; optional int64 v; } }"
                        + "| map<int,bigint>",
            })
    void typesOfOtherWriters(String field, String type) {
        assertThat(columns(field)).containsExactly(new Column("c", TypeParser.parse(type)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "required int32 c (INTEGER(32,false));",
                "required int64 c (TIME(MICROS,true));",
                "required binary c (JSON);",
                "required fixed_len_byte_array(16) c (UUID);",
                "required fixed_len_byte_array(12) c (INTERVAL);",
                "required binary c (DECIMAL(50,2));",
                "required group c (LIST) { optional int32 element; }",
                "required group c (MAP) { repeated int32 x; }",
            })
    void typesThatSqlDoesNotHave(String field) {
        assertThatThrownBy(() -> columns(field))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("Unhandled type")
                .hasMessageContaining("'c'");
    }
}
