package io.skep.common.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestTypeParser {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "int",
                "decimal(38,10)",
                "char(3)",
                "varchar(65535)",
                "timestamp with local time zone",
                "array<map<string,struct<a:int,b:decimal(10,2)>>>",
                "uniontype<int,array<string>>",
                "interval_day_time"
            })
    void readsWhatItWrites(String text) {
        assertThat(TypeParser.parse(text).displayName()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "integerr",
                "decimal(39,1)",
                "array<int",
                "map<int>",
                "struct<a>",
                "int x",
                "decimal(a)",
                "char(0)"
            })
    void refusesWhatIsNoType(String text) {
        assertThatThrownBy(() -> TypeParser.parse(text))
                .asInstanceOf(InstanceOfAssertFactories.type(SkepException.class))
                .extracting(SkepException::code)
                .isEqualTo(StandardErrorCode.TYPE_MISMATCH);
    }
}
