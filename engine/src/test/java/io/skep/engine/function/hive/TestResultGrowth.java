package io.skep.engine.function.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestResultGrowth {
    private static Vector text(String text) {
        VectorAppender appender = VectorAppender.of(PrimitiveType.STRING);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        appender.appendBytes(bytes, 0, bytes.length);
        return appender.build();
    }

    /** The characters that a format adds to its own length: widths, and 400 for each place. */
    @ParameterizedTest
    @CsvSource({
        "plain, 0",
        "%d, 400",
        "%5d, 405",
        "%1$s, 400",
        "%1$-5.3s %%, 808",
        "%2000000000d, 2000000400",
        "%99999999999999999999d, 2147484047",
        "%, 400",
        "%5, 400",
        "%1000000d%1000000d, 2000800"
    })
    void widthsAndPlacesOfFormatsAreCounted(String format, long beside) {
        Vector[] arguments = {text(format), text("x")};
        assertThat(ResultGrowth.formatted(format, arguments, 0) - format.length())
                .isEqualTo(beside);
    }

    @Test
    void longArgumentsCountInEachPlace() {
        Vector[] arguments = {text("%s%s"), text("x".repeat(1000)), text("y")};
        assertThat(ResultGrowth.formatted("%s%s", arguments, 0)).isEqualTo(2004);
    }

    @Test
    void replacedTextsAreCountedWhereTheyCouldBeTooLong() {
        String large = "b".repeat(1_000_000);
        ResultGrowth.check("replace", new Vector[] {text("xa" + "y".repeat(1_000_000)), text("a"), text(large)}, 1);
        ResultGrowth.check("replace", new Vector[] {text(large), text(""), text(large)}, 1);
        refused("replace", text("a".repeat(1_000_000)), text("a"), text(large));
    }

    @Test
    void textsThatAreTakenApartAreBounded() {
        ResultGrowth.check("str_to_map", new Vector[] {text("a:b,c:d")}, 1);
        refused("str_to_map", text("a:b,".repeat(20_000_000)));
        refused("sentences", text("a b ".repeat(20_000_000)));
        ResultGrowth.check("upper", new Vector[] {text("a b ".repeat(20_000_000))}, 1);
    }

    private static void refused(String function, Vector... arguments) {
        assertThatThrownBy(() -> ResultGrowth.check(function, arguments, 1))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
    }
}
