package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.TypeParser;
import io.skep.storage.table.Column;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;

/** Tests the schema of the files that are written. */
class TestParquetTypes {
    private static void isWritten(String type, String field) {
        assertThat(ParquetTypes.message(List.of(new Column("c", TypeParser.parse(type))), Optional.empty()))
                .isEqualTo(MessageTypeParser.parseMessageType("message hive_schema { " + field + " }"));
    }

    @Test
    void typesHaveTheFormOfHivesFiles() {
        isWritten("tinyint", "optional int32 c (INTEGER(8,true));");
        isWritten("int", "optional int32 c;");
        isWritten("string", "optional binary c (STRING);");
        isWritten("varchar(3)", "optional binary c (STRING);");
        isWritten("binary", "optional binary c;");
        isWritten("date", "optional int32 c (DATE);");
        isWritten("timestamp", "optional int96 c;");
        isWritten("decimal(10,2)", "optional fixed_len_byte_array(5) c (DECIMAL(10,2));");
        isWritten("array<int>", "optional group c (LIST) { repeated group bag { optional int32 array_element; } }");
        isWritten(
                "map<string,int>",
                "optional group c (MAP) { repeated group key_value { required binary key (STRING);"
                        + " optional int32 value; } }");
        isWritten("struct<a:int>", "optional group c { optional int32 a; }");
    }

    @Test
    void typesThatFilesCannotHold() {
        assertThat(catchThrowableOfType(SkepException.class, () -> isWritten("uniontype<int,string>", ""))
                        .code())
                .isEqualTo(StandardErrorCode.NOT_SUPPORTED);
    }

    /** The bytes hold the largest number of the precision with its sign, and one byte less does not. */
    @Test
    void decimalsTakeTheFewestBytes() {
        for (int precision = 1; precision <= 38; precision++) {
            BigInteger largest = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
            int bytes = ParquetTypes.decimalBytes(precision);
            assertThat(largest.toByteArray().length)
                    .as("precision %s", precision)
                    .isEqualTo(bytes);
            assertThat(largest.negate().toByteArray().length).isLessThanOrEqualTo(bytes);
        }
    }
}
